// SPDX-License-Identifier: Apache-2.0
//
// Which queued operations are ordered, whatever the policy makes of them: a vector clock.
// Operations of a stream are numbered; a clock says how far into each stream everything is over
// before a point.
//
// Edges come from what the interface promises: the order of a stream, the legacy default stream,
// events, barriers of a context, launches of one executable graph, and from what the host has seen
// to be over (a wait, a successful query, a copy that returns when it is done, a host function that
// was called). Threads of the program may hand on what they have seen by means that leave no trace
// here, so what one has seen counts for all. Where a promise cannot be followed (another process's
// events, waits for values in memory), everything queued so far counts as ordered: an edge too many
// hides a race, an edge too few would blame a correct program.
//
// Nothing is followed, and nothing costs, until a driver's life has seen two streams that may run
// apart.
#ifndef FAKEDRIVER_CORE_HAPPENS_BEFORE_H_
#define FAKEDRIVER_CORE_HAPPENS_BEFORE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

class Stream;

// For each stream the number of its newest operation that is included.
class Clock {
 public:
  uint64_t Of(uint64_t stream) const;
  void Raise(uint64_t stream, uint64_t number);
  void Join(const Clock& other);
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }

  template <typename Goes>
  void Forget(Goes goes) {
    std::erase_if(entries_, [&](const Entry& entry) { return goes(entry.first); });
  }

 private:
  using Entry = std::pair<uint64_t, uint64_t>;
  std::vector<Entry> entries_;  // by stream
};

// The place of one operation.
struct OrderPoint {
  uint64_t stream = 0;  // Stream::id; 0: not followed
  uint64_t number = 0;  // in the stream, from 1
  uint64_t serial = 0;  // of the stream, for findings; 0: a legacy default stream
  std::shared_ptr<const Clock> before;

  bool followed() const { return stream != 0; }
  Clock Through() const;  // this operation included
};

class HappensBefore {
 public:
  static HappensBefore& Get();

  // Whether there is anything to follow. Every method that queues or joins may be called when not.
  static bool Follows() { return following_.load(std::memory_order_relaxed); }

  // A stream was made, or a default stream is used for the first time with work that the host does
  // not wait for.
  void StreamAppears(const Stream& stream);
  // The program has destroyed it; it is forgotten once its work is known to be over.
  void StreamGoes(const Stream& stream);

  // All work of the context is over, and its streams end with it.
  void ContextGoes(const Context& context, const std::vector<Ref<Stream>>& streams);

  // The next operation of the stream takes its place.
  OrderPoint Queue(Stream& stream);

  // What a wait for the stream waits for, itself included, and with the legacy default stream the
  // blocking ones of its context.
  Clock EndOf(const Stream& stream);
  Clock EndOf(const Context& context);
  Clock Everything();

  // What comes later in the stream, or in any stream of the context, comes after `earlier`.
  void After(const Stream& stream, const Clock& earlier);
  void After(const Context& context, const Clock& earlier);
  // The host knows that this is over.
  void HostKnows(const Clock& over);
  // An operation has waited for something outside the streams: it may have been anything that was
  // queued or known by now.
  void SawOutside();

  // Either of them is over before the other begins. Needs the lock.
  bool Ordered(const OrderPoint& one, const OrderPoint& other) const;
  // `earlier` is over before `later` begins. Needs the lock.
  bool Before(const OrderPoint& earlier, const OrderPoint& later) const;
  // The stream was destroyed and its work is over. Needs the lock.
  bool Forgotten(uint64_t stream) const { return !streams_.contains(stream); }
  std::mutex& mutex() { return mutex_; }

  void Reset();

 private:
  struct Place {
    uint64_t last = 0;  // operations so far
    Clock after;        // what the next one comes after
  };
  struct OfContext {
    Clock all;       // everything in its streams
    Clock blocking;  // in the blocking ones
    Clock legacy;    // the end of the legacy default stream
    Clock barrier;   // what everything later comes after
  };

  HappensBefore() = default;
  Clock EndLocked(const Stream& stream);
  // Without what is forgotten: events remember longer.
  void Join(Clock& clock, Clock earlier) const;
  void ForgetEnded();
  template <typename Visit>
  void ForEachClock(Visit visit);

  static std::atomic<bool> following_;

  std::mutex mutex_;    // guards what follows
  uint32_t named_ = 0;  // streams but the legacy default ones
  bool legacy_ = false;
  bool non_blocking_ = false;
  std::unordered_map<uint64_t, Place> streams_;  // by id
  std::unordered_map<const Context*, OfContext> contexts_;
  std::vector<uint64_t> gone_;  // destroyed streams that may have work
  Clock host_;                  // known to be over
  Clock outside_;               // SawOutside
};

// The place of the operation that this thread runs, or null.
const OrderPoint* CurrentPlace();

// While one lives, this thread runs an operation.
class RunsAt {
 public:
  explicit RunsAt(const OrderPoint& place);
  ~RunsAt();
  RunsAt(const RunsAt&) = delete;
  RunsAt& operator=(const RunsAt&) = delete;

 private:
  const OrderPoint* outer_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_HAPPENS_BEFORE_H_
