// SPDX-License-Identifier: Apache-2.0
//
// Runs of granules of the process's address space, taken from chunks that are reserved as they are
// needed. A run given back waits in quarantine until that is full or nothing else is left, oldest
// first out, and is then taken again.
//
// Threads: the owner sees to it that one thread at a time changes something.
#ifndef FAKEDRIVER_CORE_ADDRESS_RUNS_H_
#define FAKEDRIVER_CORE_ADDRESS_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "fakedriver/core/address_space_chunk.h"

namespace culprit::fakedriver {

struct AddressRun {
  uint64_t base = 0;
  uint64_t size = 0;  // bytes, a multiple of kGranule
};

class AddressRuns {
 public:
  // Reserves `chunk_bytes` at a time and keeps up to `quarantine_limit` bytes aside. `left` is told
  // of each run that leaves quarantine: its addresses may mean something new from now on.
  AddressRuns(uint64_t chunk_bytes, uint64_t quarantine_limit,
              std::function<void(const AddressRun&)> left);

  // The first address of `size` bytes, a multiple of kGranule. 0: exhausted, or no size.
  uint64_t Take(uint64_t size, uint64_t alignment);
  // Its pages go back to the system before, or belong to the owner's new mapping.
  void Quarantine(const AddressRun& run);

  // The memory behind a device address. Null: outside the chunks.
  std::byte* BackingOf(uint64_t address) const;
  // The device address that the memory is behind.
  std::optional<uint64_t> AddressOf(const std::byte* backing) const;
  // The pages go back to the system and read as zeros.
  void Discard(uint64_t base, uint64_t size);

  bool reuses_at_once() const { return quarantine_limit_ == 0; }
  uint64_t reserved_bytes() const;

 private:
  std::optional<uint64_t> Recycled(uint64_t size, uint64_t alignment);
  bool AddChunk(uint64_t size);
  bool EvictOldest();

  uint64_t chunk_bytes_;
  uint64_t quarantine_limit_;
  std::function<void(const AddressRun&)> left_;
  std::vector<AddressSpaceChunk> chunks_;
  uint64_t chunk_next_ = 0;  // first address of the newest chunk that was never given out
  std::deque<AddressRun> quarantine_;
  uint64_t quarantined_bytes_ = 0;
  std::map<uint64_t, std::vector<uint64_t>> recycled_;  // bases by size, newest last
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_ADDRESS_RUNS_H_
