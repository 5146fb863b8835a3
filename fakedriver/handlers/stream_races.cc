// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/stream_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/code_location.h"
#include "fakedriver/core/fork_safe.h"
#include "fakedriver/core/life.h"
#include "fakedriver/core/timeline.h"
#include "fakedriver/handlers/memory_object.h"

namespace culprit::fakedriver::handlers {
namespace {

// Copies of more rows than this are left out, and so are launches that leave more gaps.
constexpr uint64_t kMostRanges = 1 << 14;
constexpr size_t kMostPairs = 10000;

std::string StreamText(const OrderPoint& place) {
  return place.serial == 0 ? "the legacy default stream" : fmt::format("stream #{}", place.serial);
}

using By = MemoryAccess::By;

std::string WhatDoes(const MemoryAccess& access, const char* how) {
  switch (access.by) {
    case By::kTransfer:
      return fmt::format("a transfer {}", how);
    case By::kKernel:
      return fmt::format("a kernel {}", how);
    case By::kAllocation:
      return "an allocation provides";
  }
  return {};
}

// The same two places in a program race again and again: the first pair is named, and counted.
class NamedPairs {
 public:
  static NamedPairs& Get() {
    static NamedPairs* pairs = [] {
      TakeAroundForks<Mutex>();
      return new NamedPairs;
    }();
    return *pairs;
  }

  audit::Details FirstOf(const std::string& key, audit::Details details) {
    std::lock_guard lock(mutex_);
    if (life_ != DriverLife() || first_.size() >= kMostPairs) first_.clear();
    life_ = DriverLife();
    return first_.try_emplace(key, std::move(details)).first->second;
  }

 private:
  static std::mutex& Mutex() { return Get().mutex_; }

  std::mutex mutex_;  // guards what follows
  uint64_t life_ = 0;
  std::unordered_map<std::string, audit::Details> first_;
};

std::string PairKey(const Allocation& allocation, const MemoryAccess& one,
                    const MemoryAccess& other) {
  return fmt::format("{} {} {} {} {}", allocation.buffer_id, fmt::ptr(one.call.return_address),
                     one.kernel, fmt::ptr(other.call.return_address), other.kernel);
}

void RaiseRace(const Allocation& allocation, std::shared_ptr<const MemoryAccess> now,
               AccessHistory::Conflict conflict) {
  std::shared_ptr<const MemoryAccess> other = std::move(conflict.with);
  const char* how = conflict.how;
  const char* other_how = conflict.other_how;
  // The finding is about the call that came later, which is the one that lacks an edge.
  if (other->call.sequence > now->call.sequence) {
    std::swap(now, other);
    std::swap(how, other_how);
  }
  const ByteRange& bytes = conflict.bytes;
  audit::Details details{
      .message =
          fmt::format("Nothing orders two uses of the same bytes: {} them in {}, {} them in {}",
                      WhatDoes(*now, how), StreamText(now->place), WhatDoes(*other, other_how),
                      StreamText(other->place)),
      .object = DescribeMemory(allocation),
      .handle = allocation.base() + bytes.begin};
  details.more.emplace_back("bytes", fmt::format("{} to {}", bytes.begin, bytes.end - 1));
  details.more.emplace_back("stream", StreamText(now->place));
  if (!now->kernel.empty()) details.more.emplace_back("kernel", now->kernel);
  details.more.emplace_back(
      "other call", fmt::format("{} ({})", other->call.sequence, Info(other->call.entry).symbol));
  details.more.emplace_back("other thread", fmt::format("{}", other->call.thread));
  details.more.emplace_back("other location", CodeLocation(other->call.return_address));
  details.more.emplace_back("other stream", StreamText(other->place));
  if (!other->kernel.empty()) details.more.emplace_back("other kernel", other->kernel);
  ActingFor acting(now->call);
  audit::Raise(audit::Rule::kMemoryRaceBetweenStreams,
               NamedPairs::Get().FirstOf(PairKey(allocation, *now, *other), std::move(details)));
}

void NoteAccess(const Allocation& allocation, TouchedBytes bytes, By by,
                const std::string& kernel = {}) {
  const OrderPoint* place = CurrentPlace();
  if (place == nullptr || bytes.empty()) return;
  const CallRecord call = RecordOfCall();
  if (call.sequence == 0) return;  // the harness
  auto access = std::make_shared<MemoryAccess>(MemoryAccess{
      .place = *place, .call = call, .by = by, .kernel = kernel, .bytes = std::move(bytes)});
  std::optional<AccessHistory::Conflict> conflict;
  {
    std::lock_guard lock(HappensBefore::Get().mutex());
    if (!allocation.accesses) allocation.accesses = std::make_unique<AccessHistory>();
    conflict = allocation.accesses->Add(access);
  }
  if (conflict) RaiseRace(allocation, std::move(access), *std::move(conflict));
}

// The bytes of a block in its allocation; none when they are elsewhere (a staged source).
ByteRanges RangesOf(const CopyOperand& operand, const Extent& extent) {
  ByteRanges ranges;
  const Allocation& allocation = *operand.allocation;
  if (extent.height * extent.depth > kMostRanges) return ranges;
  for (uint64_t z = 0; z < extent.depth; ++z) {
    for (uint64_t y = 0; y < extent.height; ++y) {
      const auto begin = static_cast<uint64_t>(operand.block.Row(y, z) - allocation.backing());
      if (begin > allocation.size() || extent.width > allocation.size() - begin) return {};
      ranges.Append({begin, begin + extent.width});
    }
  }
  return ranges;
}

}  // namespace

bool FollowsAccesses() { return CurrentPlace() != nullptr; }

void NoteTransfer(const Transfer& transfer) {
  if (!FollowsAccesses()) return;
  if (!transfer.fill && transfer.from.allocation) {
    NoteAccess(*transfer.from.allocation,
               {.read = RangesOf(transfer.from, transfer.extent), .written = {}, .atomic = {}},
               By::kTransfer);
  }
  if (transfer.to.allocation) {
    NoteAccess(*transfer.to.allocation,
               {.read = {}, .written = RangesOf(transfer.to, transfer.extent), .atomic = {}},
               By::kTransfer);
  }
}

void NoteAllocation(Stream& stream, const Allocation& allocation) {
  if (!HappensBefore::Follows()) return;
  const OrderPoint place = HappensBefore::Get().Queue(stream);
  RunsAt running(place);
  NoteArrival(allocation);
}

void NoteArrival(const Allocation& allocation) {
  TouchedBytes bytes;
  bytes.written.Append({0, allocation.size()});
  NoteAccess(allocation, std::move(bytes), By::kAllocation);
}

bool UsedApart(const Allocation& allocation) {
  const OrderPoint* place = CurrentPlace();
  if (place == nullptr) return false;
  std::lock_guard lock(HappensBefore::Get().mutex());
  return allocation.accesses != nullptr && allocation.accesses->HasUnordered(*place);
}

void RaiseIfUsedElsewhere(const Allocation& allocation) {
  const bool pending = allocation.pending.load(std::memory_order_acquire) != 0;
  if (!pending && !UsedApart(allocation)) return;
  audit::Raise(
      audit::Rule::kMemoryFreedBusy,
      {.message = "Memory was freed in stream order, and nothing orders the free after work "
                  "of another stream that uses it",
       .argument = "dptr",
       .object = DescribeMemory(allocation),
       .handle = allocation.base()});
}

void NoteLaunch(const std::vector<LaunchAccess>& accesses, const std::string& kernel) {
  const OrderPoint* place = CurrentPlace();
  if (place == nullptr) return;
  bool tells_host = false;
  for (const LaunchAccess& access : accesses) {
    tells_host |= IsHostAccessible(access.allocation->memory()) &&
                  !(access.bytes.written.empty() && access.bytes.atomic.empty());
    NoteAccess(*access.allocation, access.bytes, By::kKernel, kernel);
  }
  // The host may have polled what the kernel wrote where it can look.
  if (tells_host) HappensBefore::Get().HostKnows(place->Through());
}

}  // namespace culprit::fakedriver::handlers
