// SPDX-License-Identifier: Apache-2.0
//
// When queued work runs. Any thread may run an operation whose turn has come; the policy says which
// thread does, and when:
//
//   eager   the call that queued it, before it returns
//   timed   the call that queued it, unless the operation takes time or waits for one that does:
//   then a thread of the
//           stream's own, while the program goes on
//   lazy    whoever waits for it. Every so many unsuccessful queries complete one operation, and a
//   watchdog drains the
//           queues when the program makes no driver calls
//   random  as lazy, with seeded coins that let operations run earlier
//
// Threads are started when there is something for them to do and end when there is not, so that a
// process which has not queued such work has one thread, and may fork.
#ifndef FAKEDRIVER_CORE_TIMELINE_H_
#define FAKEDRIVER_CORE_TIMELINE_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver {

class Timeline {
 public:
  static Timeline& Get();

  Completion Enqueue(Stream& stream, Operation operation);
  void WaitFor(const Completion& completion);
  bool Query(const Completion& completion);

  // Drops what is queued and waits for the timeline's threads to end. Operations that wait for
  // something outside see abandoned() and give up.
  void Reset();
  const std::atomic<bool>& abandoned() const { return abandoned_; }

  // Host time in nanoseconds, monotonic.
  static uint64_t Now();

 private:
  Timeline() = default;

  enum class Blocking : uint8_t { kNever, kWhileRunning, kAlways };
  enum class Step : uint8_t { kRan, kNothing, kNotReady, kBehind };

  bool TryInline(Stream& stream, Operation& operation);
  // Runs operations, at most so many, until `goal` is done.
  void Drive(const Completion& goal, Blocking blocking, uint32_t most = UINT32_MAX);
  Step RunFront(Stream& stream, std::unique_lock<std::mutex>& lock, Completion* blocker);
  void RunReadyPrologue(Stream& stream, std::unique_lock<std::mutex>& lock);
  void StartWorker(Stream& stream);
  void Work(Stream& stream);
  void Postpone(Stream& stream);
  void Watch();
  void ThreadEnds();
  // True once in so many times, by the seed.
  bool Coin(uint32_t one_in);

  std::atomic<bool> abandoned_{false};
  std::atomic<uint64_t> coins_{0};
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  uint32_t threads_ = 0;
  bool watching_ = false;
  std::vector<Ref<Stream>> postponed_;  // streams with work that waits for somebody to want it
};

// While one lives, the calling thread acts for the call that queued an operation: what the
// operation finds out names that call. Costs nothing inside that call itself.
class ActingFor {
 public:
  explicit ActingFor(const CallRecord& call);
  ~ActingFor();
  ActingFor(const ActingFor&) = delete;
  ActingFor& operator=(const ActingFor&) = delete;

 private:
  bool acting_ = false;
  CallInProgress call_{};
  std::optional<CallingThread> stand_in_;  // of a thread of the timeline, which must not be counted
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_TIMELINE_H_
