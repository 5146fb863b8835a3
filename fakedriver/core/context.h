// SPDX-License-Identifier: Apache-2.0
//
// A context: the owner of everything else. Contexts stay allocated until the driver is reset,
// because any thread's stack may name them; a destroyed one is an empty shell that still knows its
// device and flags.
//
// The primary context of a device is one Context for the life of the process. Each activation (the
// first retain after a release or reset) starts a new epoch; handles and stack entries from earlier
// epochs come alive again with it, which is what vendor drivers do, and their epoch tells that they
// are stale.
#ifndef FAKEDRIVER_CORE_CONTEXT_H_
#define FAKEDRIVER_CORE_CONTEXT_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "fakedriver/core/object.h"
#include "fakedriver/core/stream.h"

namespace culprit::fakedriver {

class Allocation;
class Device;

// A limit (CUlimit) that a device does not have.
inline constexpr uint64_t kNoLimit = ~uint64_t{0};

class Context final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kContext;
  static constexpr uint32_t kLimits = 16;

  Context(Device& device, bool primary, unsigned flags);
  ~Context() override;

  Device& device() const { return device_; }
  bool primary() const { return primary_; }
  uint64_t id() const { return id_; }
  // Counts activations of a primary context from 1; always 1 for others.
  uint32_t epoch() const { return epoch_.load(std::memory_order_acquire); }

  unsigned flags() const { return flags_.load(std::memory_order_relaxed); }
  void set_flags(unsigned flags) { flags_.store(flags, std::memory_order_relaxed); }
  unsigned api_version = 3020;
  std::atomic<uint32_t> uses{1};  // cuCtxAttach and cuCtxDetach

  std::array<std::atomic<uint64_t>, kLimits> limits{};
  std::atomic<int> cache_config{0};
  std::atomic<int> shared_config{0};

  // Everything alive that belongs to this context.
  ObjectList& objects() { return objects_; }

  // The default streams. They have no handle; the per-thread one is made on first use.
  Stream& legacy_stream() { return *legacy_; }
  Ref<Stream> per_thread_stream();

  // Streams that may have work: created ones, default ones, and destroyed ones whose work is not
  // done.
  std::vector<Ref<Stream>> streams() const;
  void AddStream(const Ref<Stream>& stream);
  // A destroyed stream: forgotten as soon as its work is done.
  void RetireStream(Stream& stream);
  // A stream that no program knows of, which waits for others: forgotten likewise.
  void KeepUntilDone(const Ref<Stream>& stream);
  // One that stands for work of another process: waiting for the context is not waiting for that.
  // Kept until the work is done, for a reset, also beyond the end of the context.
  void KeepElsewhere(const Ref<Stream>& stream);

  // Contexts whose memory this one may use directly, by serial.
  bool AddPeer(uint64_t serial);     // false: was one already
  bool RemovePeer(uint64_t serial);  // false: was none

  // Work queued from now on waits for it, on all streams of the context.
  void AddBarrier(Completion completion);
  void AddBarriersTo(Operation& operation);

  // Memory that cuMemFreeAsync gave up on `stream` although cuMemAlloc made it. As measured on
  // driver 580 it stays until the program waits for that stream or for the context; work that has
  // ended is not enough.
  void GiveUp(Stream& stream, const Ref<Allocation>& memory);
  // After a wait for the stream: what was given up there up to `mark` goes. For the legacy default
  // stream that includes the other blocking streams.
  void TakeGivenUp(const Stream& stream, uint64_t mark = UINT64_MAX);
  // After a wait for the context. As recorded, what was given up on a stream that is destroyed by
  // now stays until the context goes.
  void TakeAllGivenUp(bool of_destroyed_streams = false);
  // Stands for what was given up so far; for events.
  uint64_t given_up_mark() const { return given_up_mark_.load(std::memory_order_acquire); }

  // Operations queued and not over, on all its streams.
  std::atomic<uint32_t> pending{0};

  // Waits for all work of the context; the work's error, when it had one, is in the driver's sticky
  // error.
  void Synchronize();

  // Ends the life of the context and of everything in it, after waiting for pending work. Returns
  // what it took along. False when it was dead already.
  bool Destroy(std::vector<ObjectRecord>* reclaimed);

  // Primary contexts: alive again, with a new epoch and the given flags.
  void Activate(unsigned flags);

  // Forgets queued work without running it, for a reset.
  void DropWork();

 private:
  struct GivenUp {
    Ref<Stream> stream;
    Ref<Allocation> memory;
    uint64_t mark = 0;
  };

  void ResetSettings();

  Device& device_;
  const bool primary_;
  uint64_t id_;
  std::atomic<uint32_t> epoch_{1};
  std::atomic<unsigned> flags_;
  ObjectList objects_;
  mutable std::mutex streams_mutex_;
  const Ref<Stream> legacy_;
  std::map<uint32_t, Ref<Stream>> per_thread_;  // by ordinal of the thread
  std::vector<Ref<Stream>> streams_;
  std::vector<Ref<Stream>> retired_;
  std::vector<Ref<Stream>> elsewhere_;
  std::set<uint64_t> peers_;
  std::vector<Completion> barriers_;
  std::atomic<bool> has_barriers_{false};
  std::atomic<uint64_t> given_up_mark_{0};
  std::vector<GivenUp> given_up_;  // guarded by streams_mutex_
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_CONTEXT_H_
