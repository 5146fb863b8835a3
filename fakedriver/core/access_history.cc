// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/access_history.h"

#include <algorithm>
#include <array>

namespace culprit::fakedriver {
namespace {

// Of one allocation. Programs that keep more unordered uses apart lose the oldest.
constexpr size_t kMostAccesses = 64;

struct Way {
  ByteRanges TouchedBytes::*bytes;
  const char* how;
};
constexpr Way kRead{&TouchedBytes::read, "reads"};
constexpr Way kWritten{&TouchedBytes::written, "writes"};
constexpr Way kAtomic{&TouchedBytes::atomic, "changes atomically"};

struct Pair {
  Way first;
  Way second;
};
// Reads do not race with each other, and neither do atomic changes.
constexpr std::array kRacing = {
    Pair{kWritten, kWritten}, Pair{kWritten, kRead}, Pair{kRead, kWritten}, Pair{kWritten, kAtomic},
    Pair{kAtomic, kWritten},  Pair{kRead, kAtomic},  Pair{kAtomic, kRead}};

// Whatever races with the earlier one races with the later one.
bool StandsFor(const TouchedBytes& later, const TouchedBytes& earlier) {
  const auto covered = [&](const ByteRanges& bytes, const ByteRanges& by) {
    return by.Covers(bytes) || later.written.Covers(bytes);
  };
  return later.written.Covers(earlier.written) && covered(earlier.read, later.read) &&
         covered(earlier.atomic, later.atomic);
}

}  // namespace

void ByteRanges::Append(ByteRange range) {
  if (range.begin == range.end) return;
  if (!ranges_.empty() && range.begin <= ranges_.back().end) {
    ranges_.back().end = std::max(ranges_.back().end, range.end);
  } else {
    ranges_.push_back(range);
  }
}

std::optional<ByteRange> ByteRanges::Common(const ByteRanges& other) const {
  auto a = ranges_.begin();
  auto b = other.ranges_.begin();
  while (a != ranges_.end() && b != other.ranges_.end()) {
    const uint64_t begin = std::max(a->begin, b->begin);
    const uint64_t end = std::min(a->end, b->end);
    if (begin < end) return ByteRange{begin, end};
    (a->end < b->end ? a : b)++;
  }
  return std::nullopt;
}

bool ByteRanges::Covers(const ByteRanges& other) const {
  auto mine = ranges_.begin();
  for (const ByteRange& range : other.ranges_) {
    while (mine != ranges_.end() && mine->end < range.end) ++mine;
    if (mine == ranges_.end() || mine->begin > range.begin) return false;
  }
  return true;
}

std::optional<AccessHistory::Conflict> AccessHistory::Add(
    std::shared_ptr<const MemoryAccess> access) {
  const HappensBefore& order = HappensBefore::Get();
  std::optional<Conflict> conflict;
  std::erase_if(accesses_, [&](const std::shared_ptr<const MemoryAccess>& earlier) {
    if (order.Forgotten(earlier->place.stream)) return true;
    if (order.Before(earlier->place, access->place)) {
      return StandsFor(access->bytes, earlier->bytes);
    }
    if (conflict || order.Ordered(earlier->place, access->place)) return false;
    for (const auto& [mine, theirs] : kRacing) {
      const auto common = (access->bytes.*mine.bytes).Common(earlier->bytes.*theirs.bytes);
      if (!common) continue;
      conflict = Conflict{earlier, *common, mine.how, theirs.how};
      break;
    }
    return false;
  });
  if (accesses_.size() >= kMostAccesses) accesses_.erase(accesses_.begin());
  accesses_.push_back(std::move(access));
  return conflict;
}

bool AccessHistory::HasUnordered(const OrderPoint& place) const {
  const HappensBefore& order = HappensBefore::Get();
  return std::any_of(accesses_.begin(), accesses_.end(), [&](const auto& access) {
    return !order.Forgotten(access->place.stream) && !order.Ordered(access->place, place);
  });
}

}  // namespace culprit::fakedriver
