// SPDX-License-Identifier: Apache-2.0
//
// One reservation of device addresses, with the memory behind it.
//
// The device half is never accessible: a host pointer error into device memory faults at once, as
// it does with a real device. The backing half is private to the process, so a fork keeps its own
// copy, and is not charged before it is touched. Both halves belong to one mapping, the backing
// first, so that running past the end of device memory does not run into a backing.
#ifndef FAKEDRIVER_CORE_ADDRESS_SPACE_CHUNK_H_
#define FAKEDRIVER_CORE_ADDRESS_SPACE_CHUNK_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace culprit::fakedriver {

// What cuMemGetInfo counts in, and what a device maps at once.
inline constexpr uint64_t kGranule = uint64_t{2} << 20;

constexpr uint64_t RoundUp(uint64_t value, uint64_t step) {
  return (value + step - 1) / step * step;
}

class AddressSpaceChunk {
 public:
  // `size` is a multiple of kGranule; `hint` is where to try first (0: anywhere). Nothing when the
  // process may not map that much.
  static std::optional<AddressSpaceChunk> Reserve(uint64_t size, uint64_t hint);

  AddressSpaceChunk(AddressSpaceChunk&& other) noexcept;
  AddressSpaceChunk& operator=(AddressSpaceChunk&&) = delete;
  ~AddressSpaceChunk();

  uint64_t base() const { return base_; }
  uint64_t size() const { return size_; }
  uint64_t end() const { return base_ + size_; }
  bool Contains(uint64_t address) const { return address - base_ < size_; }
  std::byte* Backing(uint64_t address) const {
    return reinterpret_cast<std::byte*>(address - size_);
  }

 private:
  AddressSpaceChunk(void* mapping, uint64_t mapped_bytes, uint64_t base, uint64_t size);

  void* mapping_;
  uint64_t mapped_bytes_;
  uint64_t base_;
  uint64_t size_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_ADDRESS_SPACE_CHUNK_H_
