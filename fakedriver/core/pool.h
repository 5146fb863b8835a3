// SPDX-License-Identifier: Apache-2.0
//
// Memory pools. A pool takes memory from its device in pieces of 32 MiB, as measured, and keeps
// what is free up to its release threshold.
#ifndef FAKEDRIVER_CORE_POOL_H_
#define FAKEDRIVER_CORE_POOL_H_

#include <cstdint>
#include <map>
#include <mutex>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/object.h"
#include "fakedriver/core/pool_numbers.h"

namespace culprit::fakedriver {

class Device;

// What a pool, and the memory of graphs, takes from the device and gives back at a time.
inline constexpr uint64_t kPoolPiece = uint64_t{32} << 20;

class Pool final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kPool;

  explicit Pool(Device& device);
  ~Pool() override;

  Device& device() const { return device_; }

  // A placed allocation of the pool, not registered. `context` may end it.
  // CUDA_ERROR_OUT_OF_MEMORY.
  CUresult Allocate(Context& context, uint64_t size, Ref<Allocation>* allocation);
  // Its bytes are free again.
  void TakeBack(const Allocation& allocation);
  // Gives free memory back to the device, down to `keep` bytes.
  void TrimTo(uint64_t keep);

  PoolNumbers numbers() const;
  void ResetHighMarks(bool used, bool reserved);

  uint64_t release_threshold() const { return release_threshold_.load(std::memory_order_relaxed); }
  void set_release_threshold(uint64_t bytes) {
    release_threshold_.store(bytes, std::memory_order_relaxed);
  }

  std::atomic<int> reuse_follow_event_dependencies{1};
  std::atomic<int> reuse_allow_opportunistic{1};
  std::atomic<int> reuse_allow_internal_dependencies{1};

  // Access of other devices, by ordinal.
  void SetAccess(int device, unsigned flags);
  unsigned AccessOf(int device) const;

 private:
  void TrimLocked(uint64_t keep);

  Device& device_;
  std::atomic<uint64_t> release_threshold_{0};
  mutable std::mutex mutex_;  // guards what follows
  PoolNumbers numbers_;
  std::map<int, unsigned> access_;
};

// The pool every device has from the start, and the one that cuMemAllocAsync takes from.
Ref<Pool> DefaultPool(Device& device);
Ref<Pool> CurrentPool(Device& device);
void SetCurrentPool(Device& device, const Ref<Pool>& pool);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_POOL_H_
