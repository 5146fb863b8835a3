// SPDX-License-Identifier: Apache-2.0
// What stands at an address.
#include <algorithm>
#include <iterator>
#include <limits>
#include <mutex>

#include "fakedriver/core/address_space.h"
#include "fakedriver/core/last_not_above.h"

namespace culprit::fakedriver {

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
  return runs_.BackingOf(address) != nullptr;
}

AddressSpace::GranulesMap::const_iterator AddressSpace::GranulesAt(uint64_t address) const {
  auto granules = LastNotAbove(granules_, address);
  if (granules == granules_.end()) return granules;
  return address - granules->first < granules->second.size ? granules : granules_.end();
}

}  // namespace culprit::fakedriver
