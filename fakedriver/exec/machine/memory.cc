// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fakedriver/exec/machine/address_windows.h"
#include "fakedriver/exec/machine/block_races.h"
#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/places.h"
#include "fakedriver/exec/machine/touched_bits.h"

namespace culprit::exec {
namespace {

// Shared memory is given out in pieces of this size; past the end of the last one a device faults.
constexpr uint32_t kSharedGranule = 1024;
constexpr size_t kRangesKept = 64;

const char* Verb(AccessKind kind) { return kind == AccessKind::kLoad ? "read" : "write"; }

AccessTarget FaultAt(Warp& w, const Access& access, FaultKind kind, std::string message) {
  Fault(w, access.at, kind, access.lane, std::move(message), access.address, access.bytes,
        access.kind != AccessKind::kLoad);
  return {};
}

void Report(Warp& w, const Access& access, FindingKind kind, StateSpace space, uint64_t allocation,
            uint64_t base, uint64_t size) {
  MemoryFinding finding;
  finding.kind = kind;
  finding.where = Locate(w, access.at);
  finding.who = PositionOf(w, access.lane);
  finding.space = space;
  finding.address = access.address;
  finding.access_bytes = access.bytes;
  finding.is_store = access.kind != AccessKind::kLoad;
  finding.allocation = allocation;
  finding.allocation_base = base;
  finding.allocation_size = size;
  if (kind == FindingKind::kOutOfBounds) {
    finding.distance = access.address < base
                           ? static_cast<int64_t>(access.address - base)
                           : static_cast<int64_t>(access.address + access.bytes - (base + size));
  }
  w.block->launch.findings.Report(w.block->number, access.at, std::move(finding));
}

void ReportRace(Warp& w, const Access& access, uint64_t offset, const SharedRaces::Use& other) {
  MemoryFinding finding;
  finding.kind = FindingKind::kSharedRace;
  finding.where = Locate(w, access.at);
  finding.who = PositionOf(w, access.lane);
  finding.space = StateSpace::kShared;
  finding.address = offset;
  finding.access_bytes = access.bytes;
  finding.is_store = access.kind != AccessKind::kLoad;
  finding.allocation_size = w.shared_bytes;
  const Warp& other_warp = *w.block->warps[other.warp];
  finding.other_who = PositionOf(other_warp, other.lane);
  // The other warp may have left the function it was in; only the kernel's own instructions are
  // sure to be found again.
  if (other_warp.frame != nullptr && other_warp.frame == other.frame && other_warp.live != 0) {
    finding.other_where = Locate(other_warp, other.at);
  }
  w.block->launch.findings.Report(w.block->number, access.at, std::move(finding));
}

const MemoryRange& FindRange(Worker& worker, uint64_t address) {
  for (MemoryRange& range : worker.ranges) {
    if (address - range.base < range.size) return range;
  }
  MemoryRange range = worker.launch.environment.memory.Find(address);
  if (worker.ranges.size() >= kRangesKept) worker.ranges.clear();
  worker.ranges.push_back(range);
  return worker.ranges.back();
}

AccessTarget ResolveShared(Warp& w, const Access& access, uint64_t offset) {
  Block& block = *w.block;
  AccessTarget target{.ok = true};
  if (offset + access.bytes <= w.shared_bytes) {
    target.host = w.shared + offset;
    target.valid = access.bytes;
  } else {
    uint64_t end =
        (uint64_t{w.shared_bytes} + kSharedGranule - 1) / kSharedGranule * kSharedGranule;
    if (block.launch.environment.checks.out_of_bounds) {
      Access shown = access;
      shown.address = offset;
      Report(w, shown, FindingKind::kOutOfBounds, StateSpace::kShared, 0, 0, w.shared_bytes);
    }
    if (offset + access.bytes > end) {
      return FaultAt(w, access, FaultKind::kIllegalAddress,
                     std::string("Out of range ") + Verb(access.kind) + " of shared memory");
    }
    if (offset < w.shared_bytes) {
      target.host = w.shared + offset;
      target.valid = static_cast<uint32_t>(w.shared_bytes - offset);
    }
  }
  if (block.shared_races.enabled() && target.valid != 0) {
    if (auto other = block.shared_races.Note(w, access, offset, target.valid))
      ReportRace(w, access, offset, *other);
  }
  if (!block.shared_written.empty() && target.valid != 0) {
    uint8_t* written = &block.shared_written[offset];
    if (access.kind != AccessKind::kLoad) {
      std::memset(written, 1, target.valid);
    } else if (std::find(written, written + target.valid, 0) != written + target.valid) {
      Access shown = access;
      shown.address = offset;
      Report(w, shown, FindingKind::kUninitialisedRead, StateSpace::kShared, 0, 0, w.shared_bytes);
    }
  }
  return target;
}

AccessTarget ResolveLocal(Warp& w, const Access& access, uint64_t offset) {
  uint32_t size = w.frame->local_base + w.frame->local_bytes;
  if (offset + access.bytes > size) {
    if (w.block->launch.environment.checks.out_of_bounds) {
      Access shown = access;
      shown.address = offset;
      Report(w, shown, FindingKind::kOutOfBounds, StateSpace::kLocal, 0, 0, size);
    }
    return FaultAt(w, access, FaultKind::kIllegalAddress,
                   std::string("Out of range ") + Verb(access.kind) + " of local memory");
  }
  return {.ok = true,
          .local = true,
          .host = nullptr,
          .offset = static_cast<uint32_t>(offset),
          .valid = access.bytes};
}

AccessTarget ResolveGlobal(Warp& w, const Access& access) {
  const Checks& checks = w.block->launch.environment.checks;
  const MemoryRange range = FindRange(*w.worker, access.address);
  const bool store = access.kind != AccessKind::kLoad;
  switch (range.state) {
    case RangeState::kUnmapped: {
      std::string message = std::string("Illegal ") + Verb(access.kind) + " of " +
                            std::to_string(access.bytes) + " bytes";
      return FaultAt(w, access, FaultKind::kIllegalAddress, std::move(message));
    }
    case RangeState::kFreed:
      if (checks.use_after_free) {
        Report(w, access, FindingKind::kUseAfterFree, StateSpace::kGlobal, range.allocation,
               range.allocation_base, range.allocation_size);
      }
      break;
    case RangeState::kPadding:
      if (checks.out_of_bounds) {
        Report(w, access, FindingKind::kOutOfBounds, StateSpace::kGlobal, range.allocation,
               range.allocation_base, range.allocation_size);
      }
      break;
    case RangeState::kLive:
      break;
  }
  if (store && range.read_only) {
    return FaultAt(w, access, FaultKind::kIllegalAddress,
                   "Write to memory that the device may only read");
  }
  AccessTarget target{.ok = true, .global = true};
  const uint64_t offset = access.address - range.base;
  target.valid = static_cast<uint32_t>(std::min<uint64_t>(access.bytes, range.size - offset));
  if (range.backing != nullptr) target.host = range.backing + offset;
  if (range.state != RangeState::kLive) return target;
  if (target.valid < access.bytes) {
    if (checks.out_of_bounds) {
      Report(w, access, FindingKind::kOutOfBounds, StateSpace::kGlobal, range.allocation,
             range.allocation_base, range.allocation_size);
    }
    if (FindRange(*w.worker, access.address + target.valid).state == RangeState::kUnmapped) {
      return FaultAt(w, access, FaultKind::kIllegalAddress,
                     "An access crosses the end of mapped memory");
    }
  }
  if (BlockRaces* races = w.block->launch.block_races.get(); races != nullptr) {
    // Stores are noted by those who know what they store.
    if (access.kind == AccessKind::kLoad) races->NoteLoad(w, access, target.valid);
    if (access.kind == AccessKind::kAtomic) races->NoteAtomic(w, access, target.valid);
  }
  if (range.touched.read != nullptr) {
    Touch(access.kind == AccessKind::kLoad    ? range.touched.read
          : access.kind == AccessKind::kStore ? range.touched.written
                                              : range.touched.atomic,
          access.address - FirstTouched(range.base), target.valid);
  }
  if (range.written != nullptr) {
    uint8_t* written = range.written + offset;
    if (store) {
      std::memset(written, 1, target.valid);
    } else if (checks.uninitialised &&
               std::find(written, written + target.valid, 0) != written + target.valid) {
      Report(w, access, FindingKind::kUninitialisedRead, StateSpace::kGlobal, range.allocation,
             range.allocation_base, range.allocation_size);
    }
  }
  return target;
}

// Parameters of the kernel, read through their address.
AccessTarget ResolveParameter(Warp& w, const Access& access, uint64_t offset) {
  std::span<const std::byte> parameters = w.block->launch.parameters;
  if (access.kind != AccessKind::kLoad || offset + access.bytes > parameters.size()) {
    return FaultAt(w, access, FaultKind::kIllegalAddress,
                   std::string("Out of range ") + Verb(access.kind) + " of kernel parameters");
  }
  AccessTarget target{.ok = true};
  // Only loads come here, so nobody writes through the pointer.
  target.host = const_cast<std::byte*>(parameters.data() + offset);
  target.valid = access.bytes;
  return target;
}

}  // namespace

const MemoryRange& RangeOf(const Warp& w, uint64_t address) {
  return FindRange(*w.worker, address);
}

AccessTarget Resolve(Warp& w, const Access& access) {
  if ((access.address & (access.align - 1)) != 0) {
    return FaultAt(w, access, FaultKind::kMisalignedAddress,
                   "Address not aligned to " + std::to_string(access.align) + " bytes");
  }
  switch (access.space) {
    case StateSpace::kShared:
      // A 32-bit address is enough for shared memory, and a generic one works as well on devices.
      return ResolveShared(w, access,
                           InWindow(access.address, kSharedWindow) ? access.address - kSharedWindow
                                                                   : access.address);
    case StateSpace::kLocal:
      return ResolveLocal(
          w, access,
          InWindow(access.address, kLocalWindow) ? access.address - kLocalWindow : access.address);
    case StateSpace::kGeneric:
      if (InWindow(access.address, kSharedWindow))
        return ResolveShared(w, access, access.address - kSharedWindow);
      if (InWindow(access.address, kLocalWindow))
        return ResolveLocal(w, access, access.address - kLocalWindow);
      if (InWindow(access.address, kParamWindow))
        return ResolveParameter(w, access, access.address - kParamWindow);
      return ResolveGlobal(w, access);
    default:
      return ResolveGlobal(w, access);
  }
}

void ReadLocal(const Warp& w, uint32_t offset, uint32_t lane, void* data, uint32_t bytes) {
  std::byte* out = static_cast<std::byte*>(data);
  for (uint32_t n = 0; n < bytes;) {
    uint32_t at = offset + n;
    uint32_t piece = std::min(4 - at % 4, bytes - n);
    const uint32_t& word = w.local[size_t{at / 4} * kLanes + lane];
    std::memcpy(out + n, reinterpret_cast<const std::byte*>(&word) + at % 4, piece);
    n += piece;
  }
}

void WriteLocal(Warp& w, uint32_t offset, uint32_t lane, const void* data, uint32_t bytes) {
  const std::byte* in = static_cast<const std::byte*>(data);
  for (uint32_t n = 0; n < bytes;) {
    uint32_t at = offset + n;
    uint32_t piece = std::min(4 - at % 4, bytes - n);
    uint32_t& word = w.local[size_t{at / 4} * kLanes + lane];
    std::memcpy(reinterpret_cast<std::byte*>(&word) + at % 4, in + n, piece);
    n += piece;
  }
}

bool LoadLanes(Warp& w, const Access& prototype, const uint64_t* addresses, std::byte* data,
               uint32_t stride) {
  bool ok = true;
  ForEachLane(w.mask, [&](uint32_t lane) {
    if (!ok) return;
    Access access = prototype;
    access.lane = lane;
    access.address = addresses[lane];
    AccessTarget target = Resolve(w, access);
    ok = target.ok;
    std::byte* out = data + size_t{lane} * stride;
    std::memset(out, 0, access.bytes);
    if (target.local) {
      ReadLocal(w, target.offset, lane, out, access.bytes);
    } else if (target.host != nullptr) {
      std::memcpy(out, target.host, target.valid);
    }
  });
  return ok;
}

bool StoreLanes(Warp& w, const Access& prototype, const uint64_t* addresses, const std::byte* data,
                uint32_t stride) {
  BlockRaces* races = w.block->launch.block_races.get();
  bool ok = true;
  ForEachLane(w.mask, [&](uint32_t lane) {
    if (!ok) return;
    Access access = prototype;
    access.lane = lane;
    access.address = addresses[lane];
    AccessTarget target = Resolve(w, access);
    ok = target.ok;
    const std::byte* in = data + size_t{lane} * stride;
    if (target.local) {
      WriteLocal(w, target.offset, lane, in, access.bytes);
    } else if (target.host != nullptr) {
      if (races != nullptr && target.global)
        races->NoteStore(w, access, target.host, in, target.valid);
      std::memcpy(target.host, in, target.valid);
    }
  });
  return ok;
}

bool ReadByte(Warp& w, const Instruction* i, uint32_t lane, uint64_t address, std::byte* value) {
  Access access{.at = i,
                .space = StateSpace::kGeneric,
                .bytes = 1,
                .align = 1,
                .lane = lane,
                .address = address};
  AccessTarget target = Resolve(w, access);
  if (!target.ok) return false;
  *value = std::byte{0};
  if (target.local) {
    ReadLocal(w, target.offset, lane, value, 1);
  } else if (target.host != nullptr) {
    *value = *target.host;
  }
  return true;
}

void Remember(Warp& w, uint32_t site, uint64_t address) {
  const MemoryRange& range = FindRange(*w.worker, address);
  if (range.state != RangeState::kLive || range.backing == nullptr) return;
  RangeHint& hint = w.hints[site];
  hint.base = range.base;
  hint.end = range.base + range.size;
  hint.origin =
      reinterpret_cast<std::byte*>(reinterpret_cast<uintptr_t>(range.backing) - range.base);
  hint.read_bits = range.touched.read;
  hint.written_bits = range.touched.written;
  hint.noted = {};
  const LaunchState& launch = w.block->launch;
  const bool noted = launch.block_races != nullptr;
  hint.plain_load =
      !noted && (range.written == nullptr || !launch.environment.checks.uninitialised);
  hint.plain_store = !noted && range.written == nullptr && !range.read_only;
}

}  // namespace culprit::exec
