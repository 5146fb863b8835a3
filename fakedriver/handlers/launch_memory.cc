// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/launch_memory.h"

#include "fakedriver/core/device.h"
#include "fakedriver/handlers/memory_object.h"

namespace culprit::fakedriver::handlers {
namespace {

using exec::RangeState;

constexpr uint64_t kDefaultHeap = uint64_t{8} << 20;

RangeState StateOf(AddressSpace::State state) {
  switch (state) {
    case AddressSpace::State::kUnmapped:
      return RangeState::kUnmapped;
    case AddressSpace::State::kLive:
      return RangeState::kLive;
    case AddressSpace::State::kFreed:
      return RangeState::kFreed;
    case AddressSpace::State::kPadding:
      return RangeState::kPadding;
  }
  return RangeState::kUnmapped;
}

// Memory of another device is out of reach without peer access, which the fake's devices lack.
bool Reachable(const Allocation& allocation, const Context& context) {
  return allocation.device() == context.device().ordinal() ||
         IsHostAccessible(allocation.memory()) || allocation.memory() == MemoryKind::kMapped;
}

}  // namespace

LaunchMemory::~LaunchMemory() {
  for (const MemoryUse& use : held_) {
    const Allocation& used = *use.allocation();
    const bool gone = used.given_up.load(std::memory_order_acquire) &&
                      used.record().destroyed.sequence < launched_;
    if (gone) RaiseBadRange(used.base(), used.size(), "kernel");
  }
}

exec::MemoryRange LaunchMemory::Find(uint64_t address) {
  AddressSpace::Located located = memory_.addresses().Locate(address);
  exec::MemoryRange range;
  range.state = StateOf(located.state);
  range.base = located.base;
  range.size = located.size;
  if (range.state != RangeState::kLive) NoteDependence();
  const Allocation* allocation = located.allocation.get();
  if (allocation == nullptr) return range;
  range.allocation = allocation->buffer_id;
  range.allocation_base = allocation->base();
  range.allocation_size = allocation->size();
  if (range.state != RangeState::kLive) return range;
  if (!Reachable(*allocation, context_)) {
    range.state = RangeState::kUnmapped;
    NoteDependence();
    return range;
  }
  if (!Hold(located.allocation)) {
    range.state = RangeState::kUnmapped;
    return range;
  }
  range.backing = allocation->backing();
  range.read_only = allocation->read_only;
  range.written = allocation->written();
  return range;
}

bool LaunchMemory::Hold(const Ref<Allocation>& allocation) {
  std::lock_guard lock(mutex_);
  for (const MemoryUse& held : held_) {
    if (held.allocation() == allocation.get()) return true;
  }
  MemoryUse use(allocation);
  if (use.too_late()) return false;
  held_.push_back(std::move(use));
  reuse_.FirstLook(allocation);
  return true;
}

void LaunchMemory::NoteDependence() {
  std::lock_guard lock(mutex_);
  reuse_.DependsOnMore();
}

uint64_t LaunchMemory::HeapAllocate(uint64_t size) {
  NoteDependence();
  const uint64_t limit = context_.limits[CU_LIMIT_MALLOC_HEAP_SIZE].load(std::memory_order_relaxed);
  return memory_.HeapAllocate(context_, size, limit == 0 ? kDefaultHeap : limit);
}

bool LaunchMemory::HeapFree(uint64_t address) {
  NoteDependence();
  return memory_.HeapFree(context_, address);
}

}  // namespace culprit::fakedriver::handlers
