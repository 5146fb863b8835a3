// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/pool.h"

#include <algorithm>
#include <utility>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/life.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {
namespace {

struct DevicePools {
  Ref<Pool> initial;
  Ref<Pool> current;
};

class PoolRegistry {
 public:
  static PoolRegistry& Get() {
    static PoolRegistry* registry = new PoolRegistry;
    return *registry;
  }

  template <typename Visit>
  Ref<Pool> With(Device& device, Visit visit) {
    std::lock_guard lock(mutex_);
    if (std::exchange(life_, DriverLife()) != DriverLife()) pools_.clear();
    DevicePools& pools = pools_[device.ordinal()];
    if (!pools.initial) {
      pools.initial = Make<Pool>(device);
      // Nobody made it and nobody destroys it.
      pools.initial->record().internal = true;
      Register(pools.initial);
      pools.current = pools.initial;
    }
    return visit(pools);
  }

 private:
  std::mutex mutex_;
  uint64_t life_ = 0;
  std::map<int, DevicePools> pools_;
};

}  // namespace

Pool::Pool(Device& device) : Object(ObjectKind::kPool, nullptr), device_(device) {}

Pool::~Pool() = default;

CUresult Pool::Allocate(Context& context, uint64_t size, Ref<Allocation>* allocation) {
  auto made = Make<Allocation>(MemoryKind::kPool, &context, device_.ordinal(), size);
  std::lock_guard lock(mutex_);
  const uint64_t used = numbers_.used + size;
  if (used < size) return CUDA_ERROR_OUT_OF_MEMORY;
  Memory& memory = Memory::Get();
  if (used > numbers_.reserved) {
    const uint64_t wanted = RoundUp(used, kPoolPiece);
    if (wanted < used) return CUDA_ERROR_OUT_OF_MEMORY;
    const CUresult result = memory.Charge(device_, wanted - numbers_.reserved, size);
    if (result != CUDA_SUCCESS) return result;
    numbers_.SetReserved(wanted);
  } else if (CUresult result = memory.Charge(device_, 0, size); result != CUDA_SUCCESS) {
    return result;
  }
  if (!memory.addresses().Place(made)) {
    memory.Discharge(device_.ordinal(), 0, size);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  numbers_.SetUsed(used);
  made->set_parent(Ref<Object>(this));
  *allocation = std::move(made);
  return CUDA_SUCCESS;
}

void Pool::TakeBack(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  numbers_.used -= allocation.size();
  Memory::Get().Discharge(device_.ordinal(), 0, allocation.size());
  TrimLocked(alive() ? release_threshold() : 0);
}

void Pool::TrimTo(uint64_t keep) {
  std::lock_guard lock(mutex_);
  TrimLocked(keep);
}

void Pool::TrimLocked(uint64_t keep) {
  const uint64_t kept = std::max(RoundUp(numbers_.used, kPoolPiece), RoundUp(keep, kPoolPiece));
  if (kept >= numbers_.reserved) return;
  Memory::Get().Discharge(device_.ordinal(), numbers_.reserved - kept, 0);
  numbers_.SetReserved(kept);
}

PoolNumbers Pool::numbers() const {
  std::lock_guard lock(mutex_);
  return numbers_;
}

void Pool::ResetHighMarks(bool used, bool reserved) {
  std::lock_guard lock(mutex_);
  numbers_.ResetHighMarks(used, reserved);
}

void Pool::SetAccess(int device, unsigned flags) {
  std::lock_guard lock(mutex_);
  access_[device] = flags;
}

unsigned Pool::AccessOf(int device) const {
  if (device == device_.ordinal()) return CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  std::lock_guard lock(mutex_);
  const auto found = access_.find(device);
  return found == access_.end() ? unsigned{CU_MEM_ACCESS_FLAGS_PROT_NONE} : found->second;
}

Ref<Pool> DefaultPool(Device& device) {
  return PoolRegistry::Get().With(device, [](DevicePools& pools) { return pools.initial; });
}

Ref<Pool> CurrentPool(Device& device) {
  return PoolRegistry::Get().With(device, [](DevicePools& pools) {
    if (!pools.current->alive()) pools.current = pools.initial;
    return pools.current;
  });
}

void SetCurrentPool(Device& device, const Ref<Pool>& pool) {
  PoolRegistry::Get().With(device, [&](DevicePools& pools) { return pools.current = pool; });
}

}  // namespace culprit::fakedriver
