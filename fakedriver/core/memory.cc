// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/memory.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph_memory.h"
#include "fakedriver/core/injection.h"
#include "fakedriver/core/life.h"
#include "fakedriver/core/module.h"
#include "fakedriver/core/pool.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/core/shared_memory.h"

namespace culprit::fakedriver {
namespace {

constexpr uint64_t kSmallest = uint64_t{1} << 20;  // as AddressSpace: below, granules are shared

AddressSpaceSettings SettingsOfAddresses() {
  const Settings& settings = CurrentSettings();
  AddressSpaceSettings addresses;
  if (settings.handle_reuse == HandleReuse::kNewestFirst) addresses.quarantine_bytes = 0;
  addresses.track_writes = settings.checks.uninitialized;
  return addresses;
}

uint64_t QuarantineOfHostPages() {
  return CurrentSettings().handle_reuse == HandleReuse::kNewestFirst
             ? 0
             : HostPages::DefaultQuarantine();
}

uint64_t CostOf(const Object& object, const MemoryCosts& costs) {
  switch (object.kind()) {
    case ObjectKind::kStream:
      return costs.stream;
    case ObjectKind::kEvent:
      return costs.event;
    case ObjectKind::kModule:
      return static_cast<const Module&>(object).functions().size() * costs.function;
    case ObjectKind::kGraphExec:
      return costs.graph_exec;
    default:
      return 0;
  }
}

uint64_t OverheadOf(Device& device) {
  const MemoryCosts& costs = CurrentSettings().costs;
  uint64_t bytes = 0;
  for (const Ref<Context>& context : Driver::Get().contexts()) {
    if (&context->device() != &device || !context->alive()) continue;
    uint64_t of_objects = 0;
    for (const Ref<Object>& object : context->objects().Snapshot()) {
      of_objects += CostOf(*object, costs);
    }
    bytes += costs.context + RoundUp(of_objects, kGranule);
  }
  return bytes;
}

}  // namespace

Memory& Memory::Get() {
  static std::mutex mutex;
  static std::atomic<Memory*> current{nullptr};
  static std::atomic<uint64_t> life{0};
  const uint64_t now = DriverLife();
  if (life.load(std::memory_order_acquire) != now) [[unlikely]] {
    std::lock_guard lock(mutex);
    if (life.load(std::memory_order_relaxed) != now) {
      delete current.load(std::memory_order_relaxed);
      current.store(new Memory, std::memory_order_relaxed);
      life.store(now, std::memory_order_release);
    }
  }
  return *current.load(std::memory_order_relaxed);
}

Memory::Memory() : addresses_(SettingsOfAddresses()), host_pages_(QuarantineOfHostPages()) {}

Memory::~Memory() {
  addresses_.ForEachLive([this](Allocation& allocation) {
    if (allocation.memory() == MemoryKind::kPinned || allocation.memory() == MemoryKind::kManaged) {
      UnmapHost(allocation);
    }
  });
}

void Memory::UnmapHost(const Allocation& allocation) {
  host_pages_.Unmap(allocation.backing(), allocation.mapped_end() - allocation.base());
}

uint64_t Memory::Use::Granules() const {
  uint64_t bytes = big;
  for (const auto& [owner, sum] : small) bytes += RoundUp(sum, kGranule);
  return bytes;
}

bool Memory::Fits(const Device& device, const Use& use, uint64_t bytes, uint64_t requested) const {
  const uint64_t total = device.description().total_memory;
  const uint64_t used = use.Granules();
  if (used > total || bytes > total - used) return false;
  const uint64_t budget = DeviceMemoryBudget();
  if (budget != kNoBudget && (use.requested > budget || requested > budget - use.requested)) {
    NoteBudgetRefusal();
    return false;
  }
  return true;
}

CUresult Memory::Place(const Ref<Allocation>& allocation, const Device& device) {
  const uint64_t size = allocation->size();
  {
    std::lock_guard lock(mutex_);
    Use& use = uses_[device.ordinal()];
    if (!Fits(device, use, size, size)) return CUDA_ERROR_OUT_OF_MEMORY;
    use.requested += size;
    if (size > kSmallest) {
      use.big += RoundUp(size, kGranule);
    } else {
      use.small[allocation->owner()] += RoundUp(size, 512);
    }
  }
  if (addresses_.Place(allocation)) return CUDA_SUCCESS;
  Uncharge(*allocation);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult Memory::PlaceHost(const Ref<Allocation>& allocation) {
  const uint64_t bytes = RoundUp(std::max<uint64_t>(allocation->size(), 1), HostPages::kPage);
  if (bytes < allocation->size()) return CUDA_ERROR_OUT_OF_MEMORY;
  std::byte* pages = host_pages_.Map(bytes);
  if (pages == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  const auto base = reinterpret_cast<uint64_t>(pages);
  allocation->SetPlace(base, pages, base + bytes);
  addresses_.Add(allocation);
  return CUDA_SUCCESS;
}

unsigned Memory::JoinPinned(const Allocation& allocation) {
  if (allocation.size() > kSmallest) return allocation.flags;
  const uint64_t bytes = RoundUp(allocation.size(), 512);
  const bool write_combined = (allocation.flags & CU_MEMHOSTALLOC_WRITECOMBINED) != 0;
  std::lock_guard lock(mutex_);
  std::list<PinnedBlock>& blocks = pinned_[{allocation.owner(), write_combined}];
  auto block = std::find_if(blocks.begin(), blocks.end(), [bytes](const PinnedBlock& candidate) {
    return candidate.used + bytes <= kGranule;
  });
  if (block == blocks.end())
    block = blocks.insert(block, PinnedBlock{.used = 0, .flags = allocation.flags});
  block->used += bytes;
  pinned_block_[allocation.base()] = block;
  return block->flags;
}

void Memory::LeavePinned(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  const auto joined = pinned_block_.find(allocation.base());
  if (joined == pinned_block_.end()) return;
  const std::list<PinnedBlock>::iterator block = joined->second;
  pinned_block_.erase(joined);
  block->used -= RoundUp(allocation.size(), 512);
  if (block->used > 0) return;
  for (auto& [key, blocks] : pinned_) {
    if (key.first != allocation.owner()) continue;
    blocks.remove_if([](const PinnedBlock& candidate) { return candidate.used == 0; });
  }
}

CUresult Memory::PlaceManaged(const Ref<Allocation>& allocation, const Device& device) {
  // Pages of managed memory move to a device when it touches them; until then it holds none, and
  // more can be had than any device has.
  if (CUresult result = Charge(device, 0, allocation->size()); result != CUDA_SUCCESS)
    return result;
  const CUresult result = PlaceHost(allocation);
  if (result != CUDA_SUCCESS) Discharge(device.ordinal(), 0, allocation->size());
  return result;
}

void Memory::AllowAnotherFree(uint64_t sequence) {
  addresses_.ForEachFreed(
      [sequence](Allocation& allocation) { allocation.AllowAnotherFreeAfter(sequence); });
}

bool Memory::TakeAmbiguous(uint64_t base) {
  Ref<Allocation> freed = addresses_.FindFreed(base);
  return freed && freed->base() == base && freed->TakeAllowedFree();
}

void Memory::Release(Allocation& allocation) {
  if (allocation.memory() == MemoryKind::kGraph) {
    if (addresses_.Vacate(allocation)) GraphPool::Of(allocation.device()).GiveBack(allocation);
    allocation.TakeParent();
    return;
  }
  Ref<Allocation> removed = addresses_.Remove(allocation.base());
  // Freed addresses are remembered for long; what is behind them must not be.
  const Ref<Object> parent = allocation.TakeParent();
  if (const auto exported = allocation.exported()) exported->Withdraw();
  if (!removed) return;
  switch (allocation.memory()) {
    case MemoryKind::kPinned:
      UnmapHost(allocation);
      LeavePinned(allocation);
      return;
    case MemoryKind::kManaged:
      UnmapHost(allocation);
      Discharge(allocation.device(), 0, allocation.size());
      return;
    case MemoryKind::kPool:
      static_cast<Pool&>(*parent).TakeBack(allocation);
      break;
    case MemoryKind::kRegistered:
    case MemoryKind::kMapped:
    case MemoryKind::kImported:
      return;
    default:
      Uncharge(allocation);
  }
  Context* context = allocation.context();
  if (context != nullptr && !context->alive()) addresses_.ForgetOwner(allocation.owner());
}

void ReleaseGivenUp(Allocation& allocation) {
  if (allocation.given_up.exchange(false, std::memory_order_acq_rel)) {
    Memory::Get().Release(allocation);
  }
}

void Memory::Uncharge(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  Use& use = uses_[allocation.device()];
  use.requested -= allocation.size();
  if (allocation.size() > kSmallest) {
    use.big -= RoundUp(allocation.size(), kGranule);
    return;
  }
  auto small = use.small.find(allocation.owner());
  small->second -= RoundUp(allocation.size(), 512);
  if (small->second == 0) use.small.erase(small);
}

CUresult Memory::Charge(const Device& device, uint64_t bytes, uint64_t requested) {
  std::lock_guard lock(mutex_);
  Use& use = uses_[device.ordinal()];
  if (!Fits(device, use, bytes, requested)) return CUDA_ERROR_OUT_OF_MEMORY;
  use.requested += requested;
  use.big += bytes;
  return CUDA_SUCCESS;
}

void Memory::Discharge(int device, uint64_t bytes, uint64_t requested) {
  std::lock_guard lock(mutex_);
  Use& use = uses_[device];
  use.requested -= requested;
  use.big -= bytes;
}

uint64_t Memory::HeapAllocate(Context& context, uint64_t size, uint64_t limit) {
  std::lock_guard lock(heap_mutex_);
  Heap& heap = heaps_[&context];
  if (heap.epoch != context.epoch()) {
    for (const auto& [base, block] : heap.blocks) addresses_.Remove(base);
    heap = Heap{};
    heap.epoch = context.epoch();
  }
  const uint64_t bytes = RoundUp(std::max<uint64_t>(size, 1), 16);
  if (bytes < size || bytes > limit || heap.used > limit - bytes) return 0;
  auto block = Make<Allocation>(MemoryKind::kHeap, &context, context.device().ordinal(), size);
  if (!addresses_.Place(block)) return 0;
  heap.used += bytes;
  heap.blocks[block->base()] = block;
  return block->base();
}

bool Memory::HeapFree(Context& context, uint64_t base) {
  std::lock_guard lock(heap_mutex_);
  Heap& heap = heaps_[&context];
  auto block = heap.blocks.find(base);
  if (block == heap.blocks.end()) return false;
  heap.used -= RoundUp(std::max<uint64_t>(block->second->size(), 1), 16);
  block->second->MarkDestroyed();
  addresses_.Remove(base);
  heap.blocks.erase(block);
  return true;
}

uint64_t Memory::FreeBytes(Device& device) {
  const uint64_t total = device.description().total_memory;
  uint64_t used = OverheadOf(device);
  {
    std::lock_guard lock(mutex_);
    used += uses_[device.ordinal()].Granules();
  }
  return used > total ? 0 : total - used;
}

}  // namespace culprit::fakedriver
