// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/block_table.h"

#include <sys/mman.h>

namespace culprit::suites {

class BlockTable::Lock {
 public:
  explicit Lock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) flag_.wait(true);
  }
  ~Lock() {
    flag_.clear(std::memory_order_release);
    flag_.notify_one();
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::atomic_flag& flag_;
};

void BlockTable::Clear() {
  const Lock lock(busy_);
  if (slots_ != nullptr) munmap(slots_, kSlots * sizeof(Slot));
  void* pages = mmap(nullptr, kSlots * sizeof(Slot), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  slots_ = pages == MAP_FAILED ? nullptr : static_cast<Slot*>(pages);
  used_ = 0;
  blocks_ = 0;
  bytes_ = 0;
}

void BlockTable::Add(const void* block, size_t bytes) {
  const Lock lock(busy_);
  // Half of it stays fresh, so that a search ends soon.
  if (slots_ == nullptr || used_ >= kSlots / 2) return;
  const auto address = reinterpret_cast<uintptr_t>(block);
  size_t at = FirstSlot(address);
  while (slots_[at].block != 0 && slots_[at].block != kRemoved) at = (at + 1) % kSlots;
  if (slots_[at].block == 0) ++used_;
  slots_[at] = {address, bytes};
  ++blocks_;
  bytes_ += static_cast<int64_t>(bytes);
}

BlockTable::Slot* BlockTable::Find(uintptr_t block) {
  for (size_t at = FirstSlot(block); slots_[at].block != 0; at = (at + 1) % kSlots) {
    if (slots_[at].block == block) return &slots_[at];
  }
  return nullptr;
}

void BlockTable::Remove(const void* block) {
  const Lock lock(busy_);
  if (slots_ == nullptr) return;
  Slot* slot = Find(reinterpret_cast<uintptr_t>(block));
  if (slot == nullptr) return;
  --blocks_;
  bytes_ -= static_cast<int64_t>(slot->bytes);
  slot->block = kRemoved;
}

}  // namespace culprit::suites
