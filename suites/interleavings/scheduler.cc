// SPDX-License-Identifier: Apache-2.0
#include "suites/interleavings/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace culprit::interleavings {
namespace {

constexpr ThreadId kNobody = UINT32_MAX;

thread_local constinit ThreadId this_thread = kNobody;

}  // namespace

void Scheduler::Begin(Strategy& strategy, OnDeadlock on_deadlock) {
  strategy_ = &strategy;
  on_deadlock_ = std::move(on_deadlock);
  threads_.clear();
  threads_.push_back(std::make_unique<Thread>());
  owners_.clear();
  order_.Begin();
  waits_ = 0;
  driver_user_.reset();
  run_ = {};
  run_.threads = 1;
  current_ = 0;
  this_thread = 0;
}

Scheduler::Run Scheduler::End() {
  this_thread = kNobody;
  for (size_t i = 1; i < threads_.size(); ++i) {
    run_.left += threads_[i]->state != State::kFinished ? 1 : 0;
  }
  strategy_ = nullptr;
  return std::move(run_);
}

bool Scheduler::Manages() const { return this_thread != kNobody && strategy_ != nullptr; }

Scheduler::Thread& Scheduler::Self() { return *threads_[current_]; }

void Scheduler::Point() {
  ++run_.points;
  Reschedule();
}

void Scheduler::PointAtCall(CallReach reach) {
  if (!driver_user_) driver_user_ = current_;
  if (*driver_user_ != current_) MoreCallPoints(CallPoints::kBeyondOwnStack);
  const auto least = reach == CallReach::kOwnStack ? CallPoints::kAll : CallPoints::kBeyondOwnStack;
  if (call_points_ >= least) Point();
  const bool in_order = reach == CallReach::kOwnStack      ? order_.NoteOwnStackCall(current_)
                        : reach == CallReach::kEndsContext ? order_.NoteContextEnd(current_)
                                                           : true;
  if (!in_order) MoreCallPoints(CallPoints::kAll);
}

void Scheduler::MoreCallPoints(CallPoints points) {
  if (call_points_ >= points) return;
  call_points_ = points;
  news_ = true;
}

bool Scheduler::MoreCallsBecamePoints() { return std::exchange(news_, false); }

std::vector<ThreadId> Scheduler::Runnable() const {
  std::vector<ThreadId> runnable;
  for (ThreadId i = 0; i < threads_.size(); ++i) {
    if (threads_[i]->state == State::kRunnable) runnable.push_back(i);
  }
  return runnable;
}

// Lets the longest wait that has a time limit end by it.
bool Scheduler::EndOneLimit() {
  Thread* longest = nullptr;
  for (const auto& thread : threads_) {
    if (thread->state != State::kOnCondition || !thread->has_limit) continue;
    if (longest == nullptr || thread->since < longest->since) longest = thread.get();
  }
  if (longest == nullptr) return false;
  longest->state = State::kRunnable;
  longest->timed_out = true;
  return true;
}

ThreadId Scheduler::Pick(const std::vector<ThreadId>& runnable) {
  if (runnable.size() == 1) return runnable.front();
  const Decision decision{runnable, current_, Self().state == State::kRunnable};
  const ThreadId next = strategy_->Choose(decision);
  run_.schedule.choices.push_back(next);
  run_.preemptions += decision.current_can_go_on && next != current_ ? 1 : 0;
  return next;
}

void Scheduler::Reschedule() {
  std::vector<ThreadId> runnable = Runnable();
  if (runnable.empty() && EndOneLimit()) runnable = Runnable();
  if (runnable.empty()) Deadlock();
  const ThreadId self = current_;
  const ThreadId next = Pick(runnable);
  if (next == self) return;
  Thread& mine = Self();
  const bool comes_back = mine.state != State::kFinished;
  current_ = next;
  threads_[next]->turn.release();
  if (comes_back) mine.turn.acquire();
}

void Scheduler::Block(State state, const void* on) {
  Thread& self = Self();
  self.state = state;
  self.on = on;
  self.since = ++waits_;
  Reschedule();
}

void Scheduler::TakeMutex(const void* mutex) {
  while (owners_.contains(mutex)) Block(State::kOnMutex, mutex);
  owners_[mutex] = current_;
  order_.Acquired(current_, mutex);
}

void Scheduler::Lock(const void* mutex) {
  Point();
  TakeMutex(mutex);
}

bool Scheduler::TryLock(const void* mutex) {
  Point();
  if (!owners_.emplace(mutex, current_).second) return false;
  order_.Acquired(current_, mutex);
  return true;
}

void Scheduler::Unlock(const void* mutex) {
  owners_.erase(mutex);
  order_.Released(current_, mutex);
  WakeWaitersOf(mutex);
}

void Scheduler::WakeWaitersOf(const void* mutex) {
  for (const auto& thread : threads_) {
    if (thread->state == State::kOnMutex && thread->on == mutex) thread->state = State::kRunnable;
  }
}

bool Scheduler::Holds(const void* mutex) const {
  const auto owner = owners_.find(mutex);
  return owner != owners_.end() && owner->second == current_;
}

bool Scheduler::Wait(const void* condition, const void* mutex, bool has_limit) {
  Unlock(mutex);
  Thread& self = Self();
  self.has_limit = has_limit;
  self.timed_out = false;
  Block(State::kOnCondition, condition);
  TakeMutex(mutex);
  return self.timed_out;
}

void Scheduler::Signal(const void* condition, bool all) {
  std::vector<ThreadId> waiting;
  for (ThreadId i = 0; i < threads_.size(); ++i) {
    if (threads_[i]->state == State::kOnCondition && threads_[i]->on == condition) {
      waiting.push_back(i);
    }
  }
  std::sort(waiting.begin(), waiting.end(),
            [this](ThreadId a, ThreadId b) { return threads_[a]->since < threads_[b]->since; });
  if (!all && waiting.size() > 1) waiting.resize(1);
  for (const ThreadId thread : waiting) {
    threads_[thread]->state = State::kRunnable;
    order_.Handed(current_, thread);
  }
}

ThreadId Scheduler::Created() {
  threads_.push_back(std::make_unique<Thread>());
  run_.threads = static_cast<uint32_t>(threads_.size());
  const auto created = static_cast<ThreadId>(threads_.size() - 1);
  order_.Created(current_, created);
  return created;
}

void Scheduler::Started(ThreadId thread) {
  this_thread = thread;
  threads_[thread]->turn.acquire();
}

void Scheduler::Finished() {
  Self().state = State::kFinished;
  for (const auto& thread : threads_) {
    if (thread->state == State::kOnJoin && thread->joins == current_) {
      thread->state = State::kRunnable;
    }
  }
  this_thread = kNobody;
  Reschedule();
}

void Scheduler::Join(ThreadId thread) {
  Self().joins = thread;
  while (threads_[thread]->state != State::kFinished) Block(State::kOnJoin, nullptr);
  order_.Handed(thread, current_);
}

std::string Scheduler::Describe() const {
  std::string text;
  for (ThreadId i = 0; i < threads_.size(); ++i) {
    const Thread& thread = *threads_[i];
    if (thread.state == State::kFinished) continue;
    text += fmt::format("{}thread {} ", text.empty() ? "" : "; ", i);
    if (thread.state == State::kOnMutex) {
      const auto owner = owners_.find(thread.on);
      text += owner != owners_.end()
                  ? fmt::format("waits for a mutex that thread {} holds", owner->second)
                  : "waits for a mutex";
    } else if (thread.state == State::kOnCondition) {
      text += "waits for a condition that nobody will signal";
    } else if (thread.state == State::kOnJoin) {
      text += fmt::format("waits for the end of thread {}", thread.joins);
    } else {
      text += "could go on";
    }
  }
  return text;
}

void Scheduler::Deadlock() {
  on_deadlock_(Describe());
  std::abort();
}

Scheduler& TheScheduler() {
  static Scheduler scheduler;
  return scheduler;
}

}  // namespace culprit::interleavings
