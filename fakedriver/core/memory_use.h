// SPDX-License-Identifier: Apache-2.0
//
// Queued or running work that uses an allocation. While it lasts the allocation counts as busy, and
// what its bytes are part of (a physical allocation, a block of another process) stays mapped.
#ifndef FAKEDRIVER_CORE_MEMORY_USE_H_
#define FAKEDRIVER_CORE_MEMORY_USE_H_

#include <utility>

#include "fakedriver/core/allocation.h"

namespace culprit::fakedriver {

class MemoryUse {
 public:
  MemoryUse() = default;  // of nothing
  explicit MemoryUse(Ref<Allocation> allocation)
      : allocation_(std::move(allocation)),
        parent_(allocation_ ? allocation_->parent() : Ref<Object>()) {
    if (allocation_) allocation_->pending.fetch_add(1, std::memory_order_relaxed);
  }
  MemoryUse(MemoryUse&& other) noexcept = default;
  MemoryUse& operator=(MemoryUse&& other) noexcept {
    std::swap(allocation_, other.allocation_);
    std::swap(parent_, other.parent_);
    return *this;
  }
  ~MemoryUse() {
    if (allocation_) allocation_->pending.fetch_sub(1, std::memory_order_release);
  }

  const Allocation* allocation() const { return allocation_.get(); }
  // The bytes were given up before this use began; they may be unmapped.
  bool too_late() const { return allocation_ && allocation_->lends_bytes() && !parent_; }

 private:
  Ref<Allocation> allocation_;
  Ref<Object> parent_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_MEMORY_USE_H_
