// SPDX-License-Identifier: Apache-2.0
//
// Queued work. A stream runs its operations one after the other; an operation may also wait for
// operations of other streams, through their completions. When work runs is the timeline's decision
// (core/timeline.h), not the stream's.
//
// No lock is held while an operation runs.
#ifndef FAKEDRIVER_CORE_STREAM_H_
#define FAKEDRIVER_CORE_STREAM_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/happens_before.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

class Capture;
class Stream;

// The end of one operation, for whoever waits for it. A null Completion means: over already.
class CompletionState {
 public:
  explicit CompletionState(Ref<Stream> stream) : stream_(std::move(stream)) {}

  bool done() const { return done_.load(std::memory_order_acquire) != 0; }
  // Host time in nanoseconds at which the operation ended. Only when done.
  uint64_t finished_at() const { return finished_at_; }
  Stream& stream() const { return *stream_; }

 private:
  friend class Stream;
  friend class Timeline;

  Ref<Stream> stream_;
  uint64_t finished_at_ = 0;
  std::atomic<uint32_t> done_{0};
};
using Completion = std::shared_ptr<CompletionState>;

inline bool IsDone(const Completion& completion) { return !completion || completion->done(); }

// One piece of queued work.
struct Operation {
  // Runs when its turn has come. Anything but success is a device error: it poisons the driver
  // (sticky). May be empty.
  std::function<CUresult()> body;

  // Only under the lazy and random policies: runs as soon as everything before the operation is
  // done; the body may come much later. For making a missing wait visible: poison the destination
  // of a copy. Skipped when the body runs at once.
  std::function<void()> prologue;

  // The operation waits for something outside the streams (a value in memory): its turn comes when
  // this says true. Quick, callable at any time, from any thread, with the stream's lock held.
  std::function<bool()> ready;

  // Operations of other streams to wait for.
  std::vector<Completion> predecessors;

  // The body sleeps, spins or calls the host: under the timed policy it must not run inside the
  // call that queued it.
  bool takes_time = false;

  // The call that queued it returns when it is over.
  bool host_waits = false;

  // The body runs even when a device error came before it. Others are skipped then.
  bool after_error = false;

  // The call that queued it; filled in by Enqueue when empty.
  CallRecord call;

  // Its place in the order of all operations, where that is followed; filled in by Enqueue.
  OrderPoint place;
};

class Stream final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kStream;

  enum class Role : uint8_t { kCreated, kLegacyDefault, kPerThreadDefault };

  Stream(Context& context, Role role, unsigned flags, int priority);
  ~Stream() override;

  Role role() const { return role_; }
  unsigned flags() const { return flags_; }
  int priority() const { return priority_; }
  uint64_t id() const { return id_; }
  // Takes part in the ordering with the legacy default stream.
  bool blocking() const;
  uint32_t thread() const { return thread_; }  // of a per-thread default stream

  // The end of the last operation queued so far; null when all work is done.
  Completion tail() const;
  // The ends of everything that a wait for this stream waits for: for the legacy default stream
  // that includes the other blocking streams of its context.
  std::vector<Completion> tails();

  // The capture that takes what is submitted, or null.
  bool capturing() const { return capturing_.load(std::memory_order_acquire); }
  std::shared_ptr<Capture> capture() const;
  void set_capture(std::shared_ptr<Capture> capture);

  // Attributes that the program set (CUlaunchAttributeID).
  std::map<int, CUlaunchAttributeValue> Attributes() const;
  void SetAttributes(std::map<int, CUlaunchAttributeValue> attributes);

  // Where its context keeps it; guarded by the context.
  size_t slot() const { return slot_; }
  void set_slot(size_t slot) { slot_ = slot; }

  // Forgets queued work without running it.
  void DropQueue();

 private:
  friend class Timeline;

  struct Queued {
    Operation operation;
    Completion completion;
    bool prologue_done = false;
  };

  void AddDefaultStreamOrder(Operation& operation);

  const Role role_;
  const unsigned flags_;
  const int priority_;
  const uint64_t id_;
  const uint32_t thread_;
  size_t slot_ = SIZE_MAX;

  std::atomic<bool> capturing_{false};

  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<Capture> capture_;
  std::condition_variable changed_;
  std::deque<Queued> queue_;
  Completion tail_;
  uint32_t waiters_ = 0;  // threads that wait for changed_
  uint32_t polls_ = 0;
  std::map<int, CUlaunchAttributeValue> attributes_;
  bool running_ = false;  // some thread runs an operation of this stream
  bool worker_ = false;   // a thread of its own runs what is queued
};

// Queues the operation and returns its completion, or null when it has run already.
Completion Enqueue(Stream& stream, Operation operation);

// Waits until it is done; under the lazy policy this is what makes it run.
void WaitFor(const Completion& completion);

// Waits for all work of the stream.
void WaitFor(Stream& stream);

// Has all work of the stream finished? An unsuccessful query counts for the lazy policy.
bool Query(Stream& stream);
bool Query(const Completion& completion);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_STREAM_H_
