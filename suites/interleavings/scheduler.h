// SPDX-License-Identifier: Apache-2.0
//
// Runs one thread of the subject at a time. A thread may be exchanged for another where it enters
// the driver, takes a mutex, starts a thread or yields, and is when it waits; nowhere else. What a
// thread does between two such points is one step, so that the order of steps is the whole run.
//
// Mutexes, condition variables and joins of the subject are followed in a model, which knows who
// can go on. When nobody can, that is a deadlock. A wait with a time limit ends by it only when
// nobody else can go on. A signal wakes the thread that has waited longest; a wait ends by a signal
// only.
#ifndef SUITES_INTERLEAVINGS_SCHEDULER_H_
#define SUITES_INTERLEAVINGS_SCHEDULER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "suites/interleavings/call_reach.h"
#include "suites/interleavings/causal_order.h"
#include "suites/interleavings/schedule.h"
#include "suites/interleavings/strategy.h"

namespace culprit::interleavings {

// All functions but Begin and End are called by the one thread that runs.
class Scheduler {
 public:
  // What is to be done when nobody can go on, with a description; must not return.
  using OnDeadlock = std::function<void(const std::string&)>;

  struct Run {
    Schedule schedule;
    uint64_t points = 0;   // where a thread could have been exchanged
    uint32_t threads = 0;  // that took part
    uint32_t preemptions = 0;
    uint32_t left = 0;  // threads that had not ended
  };

  // The calling thread becomes thread 0. `strategy` must outlive the run.
  void Begin(Strategy& strategy, OnDeadlock on_deadlock);
  // On thread 0, when its run is over.
  Run End();
  // The run so far, for the report of a deadlock.
  const Run& run() const { return run_; }

  // Whether the calling thread is one of the run's.
  bool Manages() const;

  // The running thread may be exchanged here.
  void Point();

  // The same at a driver call, unless it commutes with whatever the others do, so that exchanging
  // the thread here leads to nothing that exchanging it at another point does not: as long as only
  // one thread has called the driver in this run and all before, and where the call reaches no
  // further than the thread's own stack of contexts and none has ended beside other threads.
  void PointAtCall(CallReach reach);
  // Whether more calls have turned out to be points since this was asked last: what was run before
  // has left orders out.
  bool MoreCallsBecamePoints();
  CallPoints call_points() const { return call_points_; }
  // What a schedule was made with.
  void SetCallPoints(CallPoints points) { call_points_ = points; }

  void Lock(const void* mutex);
  bool TryLock(const void* mutex);
  void Unlock(const void* mutex);
  bool Holds(const void* mutex) const;

  // Releases the mutex, waits, takes it again. True when the wait ended by its time limit.
  bool Wait(const void* condition, const void* mutex, bool has_limit);
  void Signal(const void* condition, bool all);

  // A new thread, made by the running one; it begins with Started and ends with Finished.
  ThreadId Created();
  void Started(ThreadId thread);
  void Finished();
  void Join(ThreadId thread);

 private:
  enum class State : uint8_t { kRunnable, kOnMutex, kOnCondition, kOnJoin, kFinished };
  struct Thread {
    State state = State::kRunnable;
    const void* on = nullptr;  // mutex or condition
    ThreadId joins = 0;
    bool has_limit = false;
    bool timed_out = false;
    uint64_t since = 0;  // when it began to wait, in points
    std::binary_semaphore turn{0};
  };

  Thread& Self();
  // Gives the turn to somebody who can go on, and comes back when it is this thread's again.
  void Reschedule();
  std::vector<ThreadId> Runnable() const;
  bool EndOneLimit();
  ThreadId Pick(const std::vector<ThreadId>& runnable);
  [[noreturn]] void Deadlock();
  void Block(State state, const void* on);
  void TakeMutex(const void* mutex);
  void WakeWaitersOf(const void* mutex);
  void MoreCallPoints(CallPoints points);
  std::string Describe() const;

  Strategy* strategy_ = nullptr;
  OnDeadlock on_deadlock_;
  std::vector<std::unique_ptr<Thread>> threads_;
  ThreadId current_ = 0;
  std::map<const void*, ThreadId> owners_;
  CausalOrder order_;
  uint64_t waits_ = 0;
  std::optional<ThreadId> driver_user_;         // the first of this run
  CallPoints call_points_ = CallPoints::kNone;  // of all runs so far
  bool news_ = false;
  Run run_;
};

// The one of this process, which the interposed functions talk to.
Scheduler& TheScheduler();

}  // namespace culprit::interleavings

#endif  // SUITES_INTERLEAVINGS_SCHEDULER_H_
