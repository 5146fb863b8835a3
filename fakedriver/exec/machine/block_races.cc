// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/block_races.h"

#include <utility>

#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"

namespace culprit::exec {

BlockRaces::Byte& BlockRaces::At(uint64_t address) {
  const uint64_t number = address / kPage;
  if (number != newest_number_) {
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>();
    newest_number_ = number;
    newest_ = page.get();
  }
  return newest_->bytes[address % kPage];
}

BlockRaces::Use BlockRaces::UseBy(const Warp& w, const Access& access) {
  const auto [site, added] = site_of_.try_emplace(access.at, sites_.size());
  if (added) sites_.push_back({access.at, w.frame->code});
  return {.block = static_cast<uint32_t>(w.block->number) + 1,
          .site = site->second,
          .thread = static_cast<uint16_t>(w.index * kLanes + access.lane)};
}

void BlockRaces::NoteLoad(Warp& w, const Access& access, uint32_t bytes) {
  const Use now = UseBy(w, access);
  const Use* race = nullptr;
  for (uint64_t address = access.address; address < access.address + bytes; ++address) {
    Byte& byte = At(address);
    const Use& store = byte.store;
    if (store.block != 0 && store.block != now.block && store.changed) race = &store;
    if (byte.load.block == 0) byte.load = now;
  }
  if (race != nullptr) Report(w, access, *race);
}

void BlockRaces::NoteStore(Warp& w, const Access& access, const std::byte* now,
                           const std::byte* next, uint32_t bytes) {
  Use use = UseBy(w, access);
  Use race;
  for (uint32_t n = 0; n < bytes; ++n) {
    Byte& byte = At(access.address + n);
    use.changed = now[n] != next[n];
    if (use.changed) {
      for (const Use& other : {byte.store, byte.load}) {
        if (other.block != 0 && other.block != use.block) race = other;
      }
    }
    byte.store = use;
    if (byte.load.block == use.block) byte.load = {};
  }
  if (race.block != 0) Report(w, access, race);
}

void BlockRaces::NoteAtomic(Warp& w, const Access& access, uint32_t bytes) {
  Use use = UseBy(w, access);
  use.atomic = use.changed = true;
  Use race;
  for (uint32_t n = 0; n < bytes; ++n) {
    Byte& byte = At(access.address + n);
    if (byte.store.block != 0 && byte.store.block != use.block && !byte.store.atomic)
      race = byte.store;
    if (byte.load.block != 0 && byte.load.block != use.block) race = byte.load;
    byte.store = use;
  }
  if (race.block != 0) Report(w, access, race);
}

void BlockRaces::Report(Warp& w, const Access& access, const Use& other) const {
  const LaunchState& launch = w.block->launch;
  MemoryFinding finding;
  finding.kind = FindingKind::kBlockRace;
  finding.where = Locate(w, access.at);
  finding.who = PositionOf(w, access.lane);
  finding.address = access.address;
  finding.access_bytes = access.bytes;
  finding.is_store = access.kind != AccessKind::kLoad;
  const MemoryRange range = RangeOf(w, access.address);
  finding.allocation = range.allocation;
  finding.allocation_base = range.allocation_base;
  finding.allocation_size = range.allocation_size;
  finding.other_where = LocateIn(launch, *sites_[other.site].code, sites_[other.site].at);
  finding.other_who = PositionOf(launch, other.block - 1, other.thread);
  w.block->launch.findings.Report(w.block->number, access.at, std::move(finding));
}

}  // namespace culprit::exec
