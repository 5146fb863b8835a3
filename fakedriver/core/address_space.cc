// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "fakedriver/core/address_space_limit.h"
#include "fakedriver/core/bytes_in_place.h"

namespace culprit::fakedriver {
namespace {

constexpr uint64_t kAlignment = 512;
// Up to this size allocations of one owner share granules.
constexpr uint64_t kSmallest = uint64_t{1} << 20;
// Giving pages back to the system costs a call; not worth it for less.
constexpr uint64_t kWorthDiscarding = uint64_t{64} << 10;
constexpr uint64_t kPage = 4096;
// Where the first chunk is asked for, so that device pointers are the same in every run. A hint
// only: sanitizers and crowded processes put it elsewhere.
constexpr uint64_t kFirstChunk = 0x302000000000;

constexpr uint64_t kGiB = uint64_t{1} << 30;

uint64_t DefaultChunk() {
  const uint64_t share = AddressSpaceLimit() / 64;
  return std::clamp(share / kGranule * kGranule, 2 * kGranule, kGiB);
}

uint64_t DefaultQuarantine() { return std::min(AddressSpaceLimit() / 32, 16 * kGiB); }

uint64_t SmallBytes(const Allocation& allocation) {
  return RoundUp(std::max<uint64_t>(allocation.size(), 1), kAlignment);
}

template <typename Map>
auto LastNotAbove(Map& map, uint64_t address) {
  auto after = map.upper_bound(address);
  return after == map.begin() ? map.end() : std::prev(after);
}

}  // namespace

AddressSpace::AddressSpace(AddressSpaceSettings settings)
    : settings_(settings), quarantine_limit_(0) {
  if (settings_.chunk_bytes == 0) settings_.chunk_bytes = DefaultChunk();
  settings_.chunk_bytes = RoundUp(settings_.chunk_bytes, kGranule);
  quarantine_limit_ = settings_.quarantine_bytes.value_or(DefaultQuarantine());
}

bool AddressSpace::Place(const Ref<Allocation>& allocation) {
  const uint64_t size = allocation->size();
  std::unique_lock lock(mutex_);
  uint64_t base = 0;
  if (size <= kSmallest) {
    base = PlaceSmall(*allocation);
  } else if (const uint64_t bytes = RoundUp(size, kGranule); bytes >= size) {
    base = TakeRun(bytes, kGranule);
    if (base != 0) granules_[base] = Granules{.size = bytes, .live = 1};
  }
  if (base == 0) return false;
  allocation->SetPlace(base, BackingOf(base));
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
    const uint64_t fresh = TakeRun(kGranule, kGranule);
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
  const uint64_t base = TakeRun(bytes, kGranule);
  if (base == 0) return false;
  Granules granules;
  granules.size = bytes;
  granules.kept = true;
  granules_[base] = granules;
  stand_in->SetPlace(base, BackingOf(base));
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
  Discard(base, RoundUp(std::max<uint64_t>(allocation.size(), 1), kPage));
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
  } else if (quarantine_limit_ == 0 && slab != nullptr) {
    slab->holes[SmallBytes(*allocation)].push_back(base);
  } else if (allocation->size() >= kWorthDiscarding && !run.file) {
    const uint64_t begin = RoundUp(base, kPage);
    Discard(begin, allocation->end() / kPage * kPage - begin);
  }
  return allocation;
}

Ref<Allocation> AddressSpace::Find(uint64_t address) const {
  std::shared_lock lock(mutex_);
  for (const AllocationMap* map : {&live_, &expected_}) {
    if (map->empty()) continue;
    auto found = LastNotAbove(*map, address);
    if (found == map->end() || !found->second->Contains(address)) continue;
    const Allocation& allocation = *found->second;
    if (allocation.alive() || allocation.given_up.load(std::memory_order_acquire))
      return found->second;
  }
  return nullptr;
}

Ref<Allocation> AddressSpace::FindFreed(uint64_t address) const {
  std::shared_lock lock(mutex_);
  for (const AllocationMap* map : {&expected_, &live_}) {
    auto leaving = LastNotAbove(*map, address);
    if (leaving != map->end() && leaving->second->Contains(address) && !leaving->second->alive()) {
      return leaving->second;
    }
  }
  auto found = LastNotAbove(freed_, address);
  if (found == freed_.end() || !found->second->Contains(address)) return nullptr;
  return found->second;
}

Ref<Allocation> AddressSpace::FindOverlap(uint64_t base, uint64_t size) const {
  std::shared_lock lock(mutex_);
  auto after = live_.lower_bound(base + size);
  if (after == live_.begin()) return nullptr;
  auto last = std::prev(after);
  return last->second->end() > base ? last->second : nullptr;
}

AddressSpace::Located AddressSpace::Locate(uint64_t address) const {
  std::shared_lock lock(mutex_);
  auto below = LastNotAbove(live_, address);
  if (below != live_.end() && below->second->Contains(address)) {
    return {State::kLive, below->first, below->second->size(), below->second};
  }
  auto above = live_.upper_bound(address);
  auto granules = GranulesAt(address);
  const bool mapped =
      granules != granules_.end() && (granules->second.live > 0 || granules->second.kept);
  auto freed = LastNotAbove(freed_, address);
  if (freed != freed_.end() && freed->second->Contains(address)) {
    const State state = mapped ? State::kFreed : State::kUnmapped;
    return {state, freed->first, freed->second->size(), freed->second};
  }

  Located located;
  const uint64_t gap_begin = below == live_.end() ? 0 : below->second->end();
  const uint64_t gap_end =
      above == live_.end() ? std::numeric_limits<uint64_t>::max() : above->first;
  const bool nearer_below =
      below != live_.end() && (above == live_.end() || address - gap_begin < gap_end - address);
  if (nearer_below) {
    located.allocation = below->second;
  } else if (above != live_.end()) {
    located.allocation = above->second;
  }
  uint64_t begin = gap_begin;
  if (below != live_.end() && address >= below->second->mapped_end()) {
    begin = std::max(begin, below->second->mapped_end());
  }
  uint64_t end = gap_end;
  if (freed != freed_.end()) begin = std::max(begin, freed->second->end());
  if (auto next = freed_.upper_bound(address); next != freed_.end()) {
    end = std::min(end, next->first);
  }
  if (mapped) {
    located.state = State::kPadding;
    begin = std::max(begin, granules->first);
    end = std::min(end, granules->first + granules->second.size);
  } else if (below != live_.end() && address < below->second->mapped_end()) {
    located.state = State::kPadding;
    end = std::min(end, below->second->mapped_end());
  } else if (auto next = granules_.upper_bound(address); next != granules_.end()) {
    end = std::min(end, next->first);
  }
  located.base = begin;
  located.size = end - begin;
  return located;
}

void AddressSpace::ForEachLive(const std::function<void(Allocation&)>& visit) {
  std::unique_lock lock(mutex_);
  for (const auto& [base, allocation] : live_) visit(*allocation);
}

void AddressSpace::ForEachFreed(const std::function<void(Allocation&)>& visit) {
  std::unique_lock lock(mutex_);
  for (const auto& [base, allocation] : freed_) visit(*allocation);
  for (const AllocationMap* map : {&live_, &expected_}) {
    for (const auto& [base, allocation] : *map) {
      if (!allocation->alive()) visit(*allocation);
    }
  }
}

bool AddressSpace::IsDeviceAddress(uint64_t address) const {
  std::shared_lock lock(mutex_);
  return BackingOf(address) != nullptr;
}

uint64_t AddressSpace::Reserve(uint64_t size, uint64_t alignment) {
  std::unique_lock lock(mutex_);
  return TakeRun(RoundUp(size, kGranule), std::max(alignment, kGranule));
}

void AddressSpace::Unreserve(uint64_t base, uint64_t size) {
  std::unique_lock lock(mutex_);
  granules_[base] = Granules{.size = RoundUp(size, kGranule)};
  Quarantine(granules_.find(base));
}

std::byte* AddressSpace::TakeBacking(uint64_t size) {
  std::unique_lock lock(mutex_);
  const uint64_t base = TakeRun(RoundUp(size, kGranule), kGranule);
  return base == 0 ? nullptr : BackingOf(base);
}

void AddressSpace::ReturnBacking(std::byte* backing, uint64_t size) {
  std::unique_lock lock(mutex_);
  const auto address = reinterpret_cast<uint64_t>(backing);
  for (const AddressSpaceChunk& chunk : chunks_) {
    if (!chunk.Contains(address + chunk.size())) continue;
    const uint64_t base = address + chunk.size();
    granules_[base] = Granules{.size = RoundUp(size, kGranule)};
    Quarantine(granules_.find(base));
    return;
  }
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
    std::byte* backing = BackingOf(granules->first);
    if (!*file || !file->Write(backing, run.size) || file->Map(backing) == nullptr) {
      return std::nullopt;
    }
    run.file = std::move(file);
  }
  return Shared{run.file->name(), address - granules->first};
}

void AddressSpace::LeaveFile(Granules& granules, uint64_t base) {
  mmap(BackingOf(base), granules.size, PROT_READ | PROT_WRITE,
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
  uint64_t bytes = 0;
  for (const AddressSpaceChunk& chunk : chunks_) bytes += chunk.size();
  return bytes;
}

uint64_t AddressSpace::TakeRun(uint64_t size, uint64_t alignment) {
  if (size == 0) return 0;
  for (;;) {
    if (auto run = RecycledRun(size, alignment)) return *run;
    if (!chunks_.empty()) {
      const uint64_t base = RoundUp(chunk_next_, alignment);
      if (base < chunks_.back().end() && size <= chunks_.back().end() - base) {
        chunk_next_ = base + size;
        return base;
      }
    }
    const uint64_t wanted = size + (alignment > kGranule ? alignment : 0);
    if (wanted >= size && AddChunk(wanted)) continue;
    if (!EvictOldest()) return 0;
  }
}

std::optional<uint64_t> AddressSpace::RecycledRun(uint64_t size, uint64_t alignment) {
  for (auto run = recycled_.lower_bound(size); run != recycled_.end(); ++run) {
    const uint64_t base = run->second.back();
    if (base % alignment != 0) continue;
    const uint64_t rest = run->first - size;
    run->second.pop_back();
    if (run->second.empty()) recycled_.erase(run);
    if (rest > 0) recycled_[rest].push_back(base + size);
    return base;
  }
  return std::nullopt;
}

bool AddressSpace::AddChunk(uint64_t size) {
  const uint64_t hint = chunks_.empty() ? kFirstChunk : RoundUp(chunks_.back().end(), kGiB);
  uint64_t wanted = std::max(RoundUp(size, kGranule), settings_.chunk_bytes);
  auto chunk = AddressSpaceChunk::Reserve(wanted, hint);
  if (!chunk) {
    wanted = RoundUp(size, kGranule);
    auto smaller = AddressSpaceChunk::Reserve(wanted, hint);
    if (!smaller) return false;
    chunk.emplace(std::move(*smaller));
  }
  if (!chunks_.empty() && chunk_next_ < chunks_.back().end()) {
    recycled_[chunks_.back().end() - chunk_next_].push_back(chunk_next_);
  }
  chunk_next_ = chunk->base();
  chunks_.push_back(std::move(*chunk));
  return true;
}

std::byte* AddressSpace::BackingOf(uint64_t address) const {
  // Newest first: that is where new memory comes from.
  for (auto chunk = chunks_.rbegin(); chunk != chunks_.rend(); ++chunk) {
    if (chunk->Contains(address)) return chunk->Backing(address);
  }
  return nullptr;
}

void AddressSpace::Quarantine(GranulesMap::iterator granules) {
  const Run run{granules->first, granules->second.size};
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
    Discard(run.base, run.size);
  }
  granules_.erase(granules);
  quarantine_.push_back(run);
  quarantined_bytes_ += run.size;
  while (quarantined_bytes_ > quarantine_limit_ && EvictOldest()) {
  }
}

bool AddressSpace::EvictOldest() {
  if (quarantine_.empty()) return false;
  const Run run = quarantine_.front();
  quarantine_.pop_front();
  quarantined_bytes_ -= run.size;
  auto freed = freed_.lower_bound(run.base);
  while (freed != freed_.end() && freed->first < run.base + run.size) freed = freed_.erase(freed);
  recycled_[run.size].push_back(run.base);
  return true;
}

void AddressSpace::Discard(uint64_t base, uint64_t size) {
  // The pages go back to the system and read as zeros.
  madvise(BackingOf(base), size, MADV_DONTNEED);
}

AddressSpace::GranulesMap::const_iterator AddressSpace::GranulesAt(uint64_t address) const {
  auto granules = LastNotAbove(granules_, address);
  if (granules == granules_.end()) return granules;
  return address - granules->first < granules->second.size ? granules : granules_.end();
}

}  // namespace culprit::fakedriver
