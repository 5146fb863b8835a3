// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "fakedriver/core/address_space_limit.h"
#include "fakedriver/core/bytes_in_place.h"
#include "fakedriver/core/last_not_above.h"

namespace culprit::fakedriver {
namespace {

constexpr uint64_t kAlignment = 512;
// Up to this size allocations of one owner share granules.
constexpr uint64_t kSmallest = uint64_t{1} << 20;
// Giving pages back to the system costs a call; not worth it for less.
constexpr uint64_t kWorthDiscarding = uint64_t{64} << 10;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kGiB = uint64_t{1} << 30;

uint64_t DefaultChunk() {
  const uint64_t share = AddressSpaceLimit() / 64;
  return std::clamp(share / kGranule * kGranule, 2 * kGranule, kGiB);
}

uint64_t DefaultQuarantine() { return std::min(AddressSpaceLimit() / 32, 16 * kGiB); }

uint64_t SmallBytes(const Allocation& allocation) {
  return RoundUp(std::max<uint64_t>(allocation.size(), 1), kAlignment);
}

}  // namespace

AddressSpace::AddressSpace(AddressSpaceSettings settings)
    : settings_(settings),
      runs_(RoundUp(settings.chunk_bytes == 0 ? DefaultChunk() : settings.chunk_bytes, kGranule),
            settings.quarantine_bytes.value_or(DefaultQuarantine()),
            [this](const AddressRun& run) { ForgetFreed(run); }) {}

bool AddressSpace::Place(const Ref<Allocation>& allocation) {
  const uint64_t size = allocation->size();
  std::unique_lock lock(mutex_);
  uint64_t base = 0;
  if (size <= kSmallest) {
    base = PlaceSmall(*allocation);
  } else if (const uint64_t bytes = RoundUp(size, kGranule); bytes >= size) {
    base = runs_.Take(bytes, kGranule);
    if (base != 0) granules_[base] = Granules{.size = bytes, .live = 1};
  }
  if (base == 0) return false;
  allocation->SetPlace(base, runs_.BackingOf(base));
  if (settings_.fresh_byte) std::memset(allocation->backing(), *settings_.fresh_byte, size);
  if (settings_.track_writes) allocation->TrackWrites();
  live_[base] = allocation;
  return true;
}

uint64_t AddressSpace::PlaceSmall(const Allocation& allocation) {
  const uint64_t bytes = SmallBytes(allocation);
  Slab& slab = slabs_[allocation.owner()];
  if (auto hole = slab.holes.find(bytes); hole != slab.holes.end()) {
    const uint64_t base = hole->second.back();
    hole->second.pop_back();
    if (hole->second.empty()) slab.holes.erase(hole);
    freed_.erase(base);
    ++LastNotAbove(granules_, base)->second.live;
    return base;
  }
  auto granules = granules_.find(slab.current);
  if (granules == granules_.end() || granules->second.next + bytes > slab.current + kGranule) {
    const uint64_t fresh = runs_.Take(kGranule, kGranule);
    if (fresh == 0) return 0;
    if (granules != granules_.end() && granules->second.live == 0) Quarantine(granules);
    Granules granule;
    granule.size = kGranule;
    granule.next = fresh;
    granule.owner = allocation.owner();
    granule.shared = true;
    granules = granules_.insert_or_assign(fresh, granule).first;
    slab.current = fresh;
  }
  const uint64_t base = granules->second.next;
  granules->second.next += bytes;
  ++granules->second.live;
  return base;
}

void AddressSpace::Add(const Ref<Allocation>& allocation) {
  std::unique_lock lock(mutex_);
  // Addresses given out by somebody else (the host's heap) may come back.
  auto freed = LastNotAbove(freed_, allocation->base());
  if (freed == freed_.end()) freed = freed_.begin();
  while (freed != freed_.end() && freed->first < allocation->end()) {
    freed = freed->second->end() > allocation->base() ? freed_.erase(freed) : std::next(freed);
  }
  live_[allocation->base()] = allocation;
}

bool AddressSpace::KeepPlace(const Ref<Allocation>& stand_in) {
  const uint64_t bytes = RoundUp(std::max<uint64_t>(stand_in->size(), 1), kGranule);
  if (bytes < stand_in->size()) return false;
  std::unique_lock lock(mutex_);
  const uint64_t base = runs_.Take(bytes, kGranule);
  if (base == 0) return false;
  Granules granules;
  granules.size = bytes;
  granules.kept = true;
  granules_[base] = granules;
  stand_in->SetPlace(base, runs_.BackingOf(base));
  freed_[base] = stand_in;
  return true;
}

void AddressSpace::LeavePlace(uint64_t base) {
  std::unique_lock lock(mutex_);
  if (auto place = granules_.find(base); place != granules_.end()) Quarantine(place);
}

void AddressSpace::Expect(const Ref<Allocation>& allocation) {
  std::unique_lock lock(mutex_);
  expected_[allocation->base()] = allocation;
}

void AddressSpace::Arrive(const Ref<Allocation>& allocation) {
  const uint64_t base = allocation->base();
  std::unique_lock lock(mutex_);
  auto expected = expected_.find(base);
  if (expected != expected_.end() && expected->second.get() == allocation.get()) {
    expected_.erase(expected);
  }
  if (settings_.fresh_byte) {
    std::memset(allocation->backing(), *settings_.fresh_byte, allocation->size());
  }
  freed_.erase(base);
  live_[base] = allocation;
  granules_.at(base).live = 1;
}

bool AddressSpace::Vacate(const Allocation& allocation) {
  const uint64_t base = allocation.base();
  std::unique_lock lock(mutex_);
  auto expected = expected_.find(base);
  if (expected != expected_.end() && expected->second.get() == &allocation) {
    expected_.erase(expected);
    return true;
  }
  auto found = live_.find(base);
  if (found == live_.end() || found->second.get() != &allocation) return false;
  freed_[base] = found->second;
  live_.erase(found);
  granules_.at(base).live = 0;
  runs_.Discard(base, RoundUp(std::max<uint64_t>(allocation.size(), 1), kPage));
  return true;
}

Ref<Allocation> AddressSpace::Remove(uint64_t base) {
  std::unique_lock lock(mutex_);
  auto found = live_.find(base);
  if (found == live_.end()) return nullptr;
  Ref<Allocation> allocation = found->second;
  live_.erase(found);
  freed_[base] = allocation;

  auto granules = LastNotAbove(granules_, base);
  if (granules == granules_.end() || base >= granules->first + granules->second.size) {
    return allocation;  // not placed here
  }
  Granules& run = granules->second;
  --run.live;
  Slab* slab = run.shared ? &slabs_[run.owner] : nullptr;
  if (run.live == 0 && (slab == nullptr || slab->current != granules->first)) {
    Quarantine(granules);
  } else if (runs_.reuses_at_once() && slab != nullptr) {
    slab->holes[SmallBytes(*allocation)].push_back(base);
  } else if (allocation->size() >= kWorthDiscarding && !run.file) {
    const uint64_t begin = RoundUp(base, kPage);
    runs_.Discard(begin, allocation->end() / kPage * kPage - begin);
  }
  return allocation;
}

uint64_t AddressSpace::Reserve(uint64_t size, uint64_t alignment) {
  std::unique_lock lock(mutex_);
  return runs_.Take(RoundUp(size, kGranule), std::max(alignment, kGranule));
}

void AddressSpace::Unreserve(uint64_t base, uint64_t size) {
  std::unique_lock lock(mutex_);
  granules_[base] = Granules{.size = RoundUp(size, kGranule)};
  Quarantine(granules_.find(base));
}

std::byte* AddressSpace::TakeBacking(uint64_t size) {
  std::unique_lock lock(mutex_);
  const uint64_t base = runs_.Take(RoundUp(size, kGranule), kGranule);
  return base == 0 ? nullptr : runs_.BackingOf(base);
}

void AddressSpace::ReturnBacking(std::byte* backing, uint64_t size) {
  std::unique_lock lock(mutex_);
  const std::optional<uint64_t> base = runs_.AddressOf(backing);
  if (!base) return;
  granules_[*base] = Granules{.size = RoundUp(size, kGranule)};
  Quarantine(granules_.find(*base));
}

std::optional<AddressSpace::Shared> AddressSpace::Share(uint64_t address) {
  const BytesOnTheMove moving;
  std::unique_lock lock(mutex_);
  auto granules = LastNotAbove(granules_, address);
  if (granules == granules_.end() || address - granules->first >= granules->second.size) {
    return std::nullopt;
  }
  Granules& run = granules->second;
  if (!run.file) {
    auto file = std::make_shared<SharedFile>(SharedFile::Create(run.size));
    std::byte* backing = runs_.BackingOf(granules->first);
    if (!*file || !file->Write(backing, run.size) || file->Map(backing) == nullptr) {
      return std::nullopt;
    }
    run.file = std::move(file);
  }
  return Shared{run.file->name(), address - granules->first};
}

void AddressSpace::LeaveFile(Granules& granules, uint64_t base) {
  mmap(runs_.BackingOf(base), granules.size, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  granules.file.reset();
}

void AddressSpace::ForgetOwner(uint64_t owner) {
  std::unique_lock lock(mutex_);
  auto slab = slabs_.find(owner);
  if (slab == slabs_.end()) return;
  auto current = granules_.find(slab->second.current);
  slabs_.erase(slab);
  if (current != granules_.end() && current->second.live == 0) Quarantine(current);
}

uint64_t AddressSpace::reserved_bytes() const {
  std::shared_lock lock(mutex_);
  return runs_.reserved_bytes();
}

void AddressSpace::Quarantine(GranulesMap::iterator granules) {
  const AddressRun run{granules->first, granules->second.size};
  if (granules->second.shared) {
    Slab& slab = slabs_[granules->second.owner];
    if (slab.current == run.base) slab.current = 0;
    for (auto& [size, holes] : slab.holes) {
      std::erase_if(holes, [&](uint64_t hole) { return hole - run.base < run.size; });
    }
    std::erase_if(slab.holes, [](const auto& entry) { return entry.second.empty(); });
  }
  if (granules->second.file) {
    LeaveFile(granules->second, run.base);
  } else {
    runs_.Discard(run.base, run.size);
  }
  granules_.erase(granules);
  runs_.Quarantine(run);
}

void AddressSpace::ForgetFreed(const AddressRun& run) {
  auto freed = freed_.lower_bound(run.base);
  while (freed != freed_.end() && freed->first < run.base + run.size) freed = freed_.erase(freed);
}

}  // namespace culprit::fakedriver
