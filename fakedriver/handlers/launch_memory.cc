// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/launch_memory.h"

#include <algorithm>
#include <bit>
#include <span>

#include "fakedriver/core/device.h"
#include "fakedriver/handlers/memory_object.h"

namespace culprit::fakedriver::handlers {
namespace {

using exec::RangeState;

constexpr uint64_t kDefaultHeap = uint64_t{8} << 20;
constexpr uint64_t kMostFollowed = uint64_t{1} << 30;
constexpr size_t kMostRuns = 1 << 14;

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

// The runs of set bits, the first of which stands for `skipped` bytes before the allocation. Too
// many runs are none: what is left out can make no finding.
void AppendRuns(std::span<const uint64_t> bits, uint64_t skipped, ByteRanges* ranges) {
  for (uint64_t word = 0; word < bits.size(); ++word) {
    for (uint64_t left = bits[word]; left != 0;) {
      const int begin = std::countr_zero(left);
      const int length = std::countr_one(left >> begin);
      const uint64_t first = word * 64 + static_cast<uint64_t>(begin) - skipped;
      ranges->Append({first, first + static_cast<uint64_t>(length)});
      left = begin + length == 64 ? 0 : left >> (begin + length) << (begin + length);
    }
    if (ranges->all().size() > kMostRuns) {
      *ranges = {};
      return;
    }
  }
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
  if (followed_) range.touched = BitsOf(located.allocation);
  return range;
}

exec::TouchedBits LaunchMemory::BitsOf(const Ref<Allocation>& allocation) {
  // What one launch takes from the heap and gives back has no part in the order of streams.
  if (allocation->memory() == MemoryKind::kHeap || allocation->size() > kMostFollowed) return {};
  std::lock_guard lock(mutex_);
  auto noted = std::find_if(noted_.begin(), noted_.end(), [&](const Noted& one) {
    return one.allocation.get() == allocation.get();
  });
  if (noted == noted_.end()) {
    const uint64_t words = (allocation->base() % 64 + allocation->size() + 63) / 64;
    noted_.emplace_back();
    noted = noted_.end() - 1;
    noted->allocation = allocation;
    // Pages of the map that no thread touches are read once, at the end, and never written.
    noted->bits.reset(static_cast<uint64_t*>(std::calloc(3 * words, sizeof(uint64_t))));
    noted->words = words;
  }
  uint64_t* bits = noted->bits.get();
  if (bits == nullptr) return {};
  return {bits, bits + noted->words, bits + 2 * noted->words};
}

std::vector<LaunchAccess> LaunchMemory::Accesses() const {
  std::vector<LaunchAccess> accesses;
  for (const Noted& one : noted_) {
    const uint64_t* bits = one.bits.get();
    if (bits == nullptr) continue;
    const uint64_t skipped = one.allocation->base() % 64;
    LaunchAccess access{.allocation = one.allocation, .bytes = {}};
    for (ByteRanges* ranges : {&access.bytes.read, &access.bytes.written, &access.bytes.atomic}) {
      AppendRuns({bits, one.words}, skipped, ranges);
      bits += one.words;
    }
    if (!access.bytes.empty()) accesses.push_back(std::move(access));
  }
  return accesses;
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
