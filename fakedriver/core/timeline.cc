// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/timeline.h"

#include <chrono>
#include <thread>

#include "fakedriver/core/capture.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/happens_before.h"
#include "fakedriver/core/quiet_thread.h"

namespace culprit::fakedriver {
namespace {

// Vendor drivers block the submitting call when a queue is full; here that is when postponed work
// must run.
constexpr size_t kLongestQueue = 1024;
constexpr auto kPollInterval = std::chrono::microseconds(50);

void Execute(const Operation& operation) {
  if (!operation.body) return;
  if (!operation.after_error && Driver::Get().sticky_error() != CUDA_SUCCESS) return;
  ActingFor acting(operation.call);
  RunsAt running(operation.place);
  const CUresult result = operation.body();
  if (result != CUDA_SUCCESS) Driver::Get().Poison(result);
}

// An operation without a node type of its own that was submitted to a capturing stream.
class CapturedOperation final : public NodeWork {
 public:
  explicit CapturedOperation(Operation operation) : operation_(std::move(operation)) {}

  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_EMPTY; }
  bool takes_time() const override { return operation_.takes_time || operation_.ready; }
  CUresult Run() const override { return operation_.body ? operation_.body() : CUDA_SUCCESS; }
  void Describe(CUgraphNodeParams*) const override {}

 private:
  const Operation operation_;
};

uint64_t Mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

ActingFor::ActingFor(const CallRecord& call) {
  const CallInProgress* now = CurrentCall();
  if (call.sequence == 0 || (now != nullptr && now->sequence == call.sequence)) return;
  CallingThread*& current = calling_thread_internal::current;
  if (current == nullptr) {
    stand_in_.emplace();
    stand_in_->ordinal = call.thread;
    stand_in_->epoch = calling_thread_internal::epoch.load(std::memory_order_relaxed);
    current = &*stand_in_;
  }
  call_ = {.api = call.entry,
           .harness = false,
           .sequence = call.sequence,
           .nth = 0,
           .return_address = call.return_address,
           .outer = current->call};
  current->call = &call_;
  acting_ = true;
}

ActingFor::~ActingFor() {
  if (!acting_) return;
  CallingThread*& current = calling_thread_internal::current;
  current->call = call_.outer;
  if (stand_in_.has_value()) current = nullptr;
}

Timeline& Timeline::Get() {
  static Timeline* timeline = new Timeline;
  return *timeline;
}

uint64_t Timeline::Now() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

bool Timeline::Coin(uint32_t one_in) {
  const uint64_t toss = coins_.fetch_add(1, std::memory_order_relaxed) + 1;
  return Mix(CurrentSettings().seed * 0x9e3779b97f4a7c15 + toss) % one_in == 0;
}

Completion Timeline::Enqueue(Stream& stream, Operation operation) {
  if (operation.call.sequence == 0) operation.call = RecordOfCall();
  if (const std::shared_ptr<Capture> capture = stream.capture()) {
    capture->Add(stream, std::make_shared<CapturedOperation>(std::move(operation)));
    return nullptr;
  }
  HappensBefore& order = HappensBefore::Get();
  if (stream.role() == Stream::Role::kLegacyDefault && !operation.host_waits)
    order.StreamAppears(stream);
  if (HappensBefore::Follows()) operation.place = order.Queue(stream);
  stream.AddDefaultStreamOrder(operation);
  std::erase_if(operation.predecessors, IsDone);
  const Policy policy = CurrentSettings().policy;
  const bool prompt =
      policy == Policy::kEager || (policy == Policy::kTimed && !operation.takes_time);
  if (prompt && TryInline(stream, operation)) return nullptr;

  auto completion = std::make_shared<CompletionState>(Ref<Stream>(&stream));
  {
    std::lock_guard lock(stream.mutex_);
    stream.queue_.push_back({std::move(operation), completion});
    stream.tail_ = completion;
    stream.context()->pending.fetch_add(1, std::memory_order_relaxed);
  }
  switch (policy) {
    case Policy::kEager:
      Drive(completion, Blocking::kWhileRunning);
      if (!completion->done()) StartWorker(stream);
      break;
    case Policy::kTimed:
      StartWorker(stream);
      break;
    case Policy::kRandom:
      if (Coin(2)) Drive(completion, Blocking::kNever, Coin(4) ? UINT32_MAX : 1);
      [[fallthrough]];
    case Policy::kLazy:
      Postpone(stream);
      break;
  }
  return IsDone(completion) ? nullptr : completion;
}

bool Timeline::TryInline(Stream& stream, Operation& operation) {
  if (!operation.predecessors.empty()) return false;
  std::unique_lock lock(stream.mutex_);
  if (stream.running_ || !stream.queue_.empty()) return false;
  if (operation.ready && !operation.ready()) return false;
  if (!operation.body) return true;
  stream.running_ = true;
  lock.unlock();
  Execute(operation);
  lock.lock();
  stream.running_ = false;
  if (stream.waiters_ != 0) stream.changed_.notify_all();
  return true;
}

Timeline::Step Timeline::RunFront(Stream& stream, std::unique_lock<std::mutex>& lock,
                                  Completion* blocker) {
  if (stream.queue_.empty()) return Step::kNothing;
  const Operation& front = stream.queue_.front().operation;
  for (const Completion& predecessor : front.predecessors) {
    if (IsDone(predecessor)) continue;
    *blocker = predecessor;
    return Step::kBehind;
  }
  if (front.ready && !front.ready()) return Step::kNotReady;

  stream.running_ = true;
  Stream::Queued queued = std::move(stream.queue_.front());
  stream.queue_.pop_front();
  lock.unlock();
  Execute(queued.operation);
  queued.operation = {};  // what it holds goes before anybody learns that it is over
  lock.lock();
  queued.completion->finished_at_ = Now();
  queued.completion->done_.store(1, std::memory_order_release);
  stream.running_ = false;
  if (stream.tail_ == queued.completion) stream.tail_.reset();
  stream.context()->pending.fetch_sub(1, std::memory_order_relaxed);
  if (stream.waiters_ != 0) stream.changed_.notify_all();
  RunReadyPrologue(stream, lock);
  return Step::kRan;
}

void Timeline::RunReadyPrologue(Stream& stream, std::unique_lock<std::mutex>& lock) {
  if (stream.running_ || stream.queue_.empty()) return;
  Stream::Queued& front = stream.queue_.front();
  if (!front.operation.prologue || Driver::Get().sticky_error() != CUDA_SUCCESS) return;
  for (const Completion& predecessor : front.operation.predecessors) {
    if (!IsDone(predecessor)) return;
  }
  const std::function<void()> prologue = std::exchange(front.operation.prologue, nullptr);
  stream.running_ = true;
  lock.unlock();
  prologue();
  lock.lock();
  stream.running_ = false;
  if (stream.waiters_ != 0) stream.changed_.notify_all();
}

void Timeline::Drive(const Completion& goal, Blocking blocking, uint32_t most) {
  std::vector<Completion> wanted{goal};
  while (!wanted.empty() && most > 0) {
    const Completion current = wanted.back();
    if (current->done()) {
      wanted.pop_back();
      continue;
    }
    Stream& stream = current->stream();
    std::unique_lock lock(stream.mutex_);
    if (current->done()) continue;
    if (stream.running_) {
      if (blocking == Blocking::kNever) return;
      ++stream.waiters_;
      stream.changed_.wait(lock, [&] { return !stream.running_ || current->done(); });
      --stream.waiters_;
      continue;
    }
    Completion blocker;
    switch (RunFront(stream, lock, &blocker)) {
      case Step::kRan:
        --most;
        break;
      case Step::kBehind:
        wanted.push_back(std::move(blocker));
        break;
      case Step::kNotReady:
        // A reset does not wait for what happens outside the streams.
        if (blocking != Blocking::kAlways || abandoned_.load(std::memory_order_relaxed)) return;
        lock.unlock();
        std::this_thread::sleep_for(kPollInterval);
        break;
      case Step::kNothing:
        return;  // dropped by a reset
    }
  }
}

void Timeline::WaitFor(const Completion& completion) {
  if (!IsDone(completion)) Drive(completion, Blocking::kAlways);
}

bool Timeline::Query(const Completion& completion) {
  if (IsDone(completion)) return true;
  const Settings& settings = CurrentSettings();
  bool step = false;
  if (settings.policy == Policy::kLazy) {
    Stream& stream = completion->stream();
    std::lock_guard lock(stream.mutex_);
    step = ++stream.polls_ % (settings.polls_per_step == 0 ? 1 : settings.polls_per_step) == 0;
  } else if (settings.policy == Policy::kRandom) {
    step = Coin(2);
  }
  if (step) Drive(completion, Blocking::kNever, 1);
  return completion->done();
}

void Timeline::StartWorker(Stream& stream) {
  {
    std::lock_guard lock(stream.mutex_);
    if (stream.worker_ || stream.queue_.empty()) return;
    stream.worker_ = true;
  }
  {
    std::lock_guard lock(mutex_);
    ++threads_;
  }
  if (StartQuietThread([this, self = Ref<Stream>(&stream)] {
        Work(*self);
        ThreadEnds();
      })) {
    return;
  }
  Work(stream);  // the program has no thread left: the call does the work
  ThreadEnds();
}

void Timeline::Work(Stream& stream) {
  while (true) {
    Completion tail;
    {
      std::lock_guard lock(stream.mutex_);
      tail = stream.tail_;
      if (tail == nullptr || abandoned_.load(std::memory_order_relaxed)) {
        stream.worker_ = false;
        return;
      }
    }
    Drive(tail, Blocking::kAlways);
  }
}

void Timeline::Postpone(Stream& stream) {
  Completion oldest;
  {
    std::unique_lock lock(stream.mutex_);
    RunReadyPrologue(stream, lock);
    if (stream.queue_.size() > kLongestQueue) oldest = stream.queue_.front().completion;
  }
  if (oldest != nullptr) Drive(oldest, Blocking::kWhileRunning);
  if (CurrentSettings().idle_drain_ms == 0) return;
  std::lock_guard lock(mutex_);
  if (postponed_.empty() || postponed_.back().get() != &stream) postponed_.emplace_back(&stream);
  if (watching_) return;
  watching_ = true;
  ++threads_;
  if (!StartQuietThread([this] {
        Watch();
        ThreadEnds();
      })) {
    watching_ = false;
    --threads_;
  }
}

void Timeline::Watch() {
  const auto interval = std::chrono::milliseconds(CurrentSettings().idle_drain_ms);
  uint64_t calls = CallsSinceReset();
  std::unique_lock lock(mutex_);
  while (!abandoned_.load(std::memory_order_relaxed)) {
    changed_.wait_for(lock, interval);
    std::erase_if(postponed_, [](const Ref<Stream>& stream) { return stream->tail() == nullptr; });
    if (postponed_.empty()) break;
    const uint64_t now = CallsSinceReset();
    if (std::exchange(calls, now) != now) continue;
    const std::vector<Ref<Stream>> streams = postponed_;
    lock.unlock();
    for (const Ref<Stream>& stream : streams) {
      if (const Completion tail = stream->tail()) Drive(tail, Blocking::kWhileRunning);
    }
    lock.lock();
  }
  watching_ = false;
}

void Timeline::ThreadEnds() {
  std::lock_guard lock(mutex_);
  --threads_;
  changed_.notify_all();
}

void Timeline::Reset() {
  std::unique_lock lock(mutex_);
  abandoned_.store(true, std::memory_order_relaxed);
  postponed_.clear();
  changed_.notify_all();
  changed_.wait(lock, [&] { return threads_ == 0; });
  abandoned_.store(false, std::memory_order_relaxed);
  coins_.store(0, std::memory_order_relaxed);
}

}  // namespace culprit::fakedriver
