// SPDX-License-Identifier: Apache-2.0
//
// Which queued operations touched which bytes of an allocation, as far as a later operation may be
// unordered with them.
//
// Ranges are exact to the byte: what was not touched is in none, so that neighbours in one
// allocation never look like a race. An access that a later, ordered one covers is forgotten:
// whatever is unordered with the first and not yet done is unordered with the second as well.
#ifndef FAKEDRIVER_CORE_ACCESS_HISTORY_H_
#define FAKEDRIVER_CORE_ACCESS_HISTORY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakedriver/core/happens_before.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  bool operator==(const ByteRange&) const = default;
};

// Ascending, disjoint, not empty, with gaps between them.
class ByteRanges {
 public:
  // `range` begins at or behind the last one's begin.
  void Append(ByteRange range);
  const std::vector<ByteRange>& all() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }

  // The first bytes that both have.
  std::optional<ByteRange> Common(const ByteRanges& other) const;
  bool Covers(const ByteRanges& other) const;

 private:
  std::vector<ByteRange> ranges_;
};

// Relative to the start of the allocation, for each way of touching them.
struct TouchedBytes {
  ByteRanges read;
  ByteRanges written;
  ByteRanges atomic;

  bool empty() const { return read.empty() && written.empty() && atomic.empty(); }
};

// One operation's use of one allocation.
struct MemoryAccess {
  enum class By : uint8_t { kTransfer, kKernel, kAllocation };

  OrderPoint place;
  CallRecord call;
  By by = By::kTransfer;
  std::string kernel;  // its name
  TouchedBytes bytes;
};

class AccessHistory {
 public:
  struct Conflict {
    std::shared_ptr<const MemoryAccess> with;
    ByteRange bytes;
    const char* how;        // the new access: "reads", "writes", "changes atomically"
    const char* other_how;  // the one that was there
  };

  // Remembers the access; what it races with, if anything. Needs HappensBefore's lock.
  std::optional<Conflict> Add(std::shared_ptr<const MemoryAccess> access);

  // Whether nothing orders one of the uses with an operation at that place. Needs the lock.
  bool HasUnordered(const OrderPoint& place) const;

 private:
  std::vector<std::shared_ptr<const MemoryAccess>> accesses_;  // oldest first
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_ACCESS_HISTORY_H_
