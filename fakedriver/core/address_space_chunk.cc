// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/address_space_chunk.h"

#include <sys/mman.h>

#include <utility>

namespace culprit::fakedriver {
std::optional<AddressSpaceChunk> AddressSpaceChunk::Reserve(uint64_t size, uint64_t hint) {
  const uint64_t bytes = 2 * size + kGranule;
  if (bytes < size) return std::nullopt;
  void* mapping = mmap(reinterpret_cast<void*>(hint), bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return std::nullopt;
  const uint64_t backing = RoundUp(reinterpret_cast<uint64_t>(mapping), kGranule);
  if (mprotect(reinterpret_cast<void*>(backing), size, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, bytes);
    return std::nullopt;
  }
  return AddressSpaceChunk(mapping, bytes, backing + size, size);
}

AddressSpaceChunk::AddressSpaceChunk(void* mapping, uint64_t mapped_bytes, uint64_t base,
                                     uint64_t size)
    : mapping_(mapping), mapped_bytes_(mapped_bytes), base_(base), size_(size) {}

AddressSpaceChunk::AddressSpaceChunk(AddressSpaceChunk&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_bytes_(other.mapped_bytes_),
      base_(other.base_),
      size_(other.size_) {}

AddressSpaceChunk::~AddressSpaceChunk() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_bytes_);
}

}  // namespace culprit::fakedriver
