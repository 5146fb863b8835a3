// SPDX-License-Identifier: Apache-2.0
//
// Blocks of memory by address, for use inside malloc: it allocates nothing but pages of its own.
#ifndef SUITES_RUNNER_BLOCK_TABLE_H_
#define SUITES_RUNNER_BLOCK_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace culprit::suites {

// Thread-safe. Holds up to 2^20 blocks; those beyond are not counted.
class BlockTable {
 public:
  void Clear();
  void Add(const void* block, size_t bytes);
  // Nothing happens if the block is not in the table.
  void Remove(const void* block);

  int64_t blocks() const { return blocks_; }
  int64_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kSlots = size_t{1} << 21;
  static constexpr uintptr_t kRemoved = 1;

  struct Slot {
    uintptr_t block = 0;  // 0: never used
    size_t bytes = 0;
  };
  class Lock;

  static size_t FirstSlot(uintptr_t block) { return (block >> 4) * 0x9E3779B97F4A7C15u >> 43; }
  Slot* Find(uintptr_t block);

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  Slot* slots_ = nullptr;
  size_t used_ = 0;  // slots that are not fresh any more
  std::atomic<int64_t> blocks_ = 0;
  std::atomic<int64_t> bytes_ = 0;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_BLOCK_TABLE_H_
