// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/touched_bits.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace culprit::exec {
namespace {

void Set(uint64_t& word, uint64_t bits) {
  std::atomic_ref<uint64_t> shared(word);
  if ((shared.load(std::memory_order_relaxed) & bits) == bits) return;
  shared.fetch_or(bits, std::memory_order_relaxed);
}

}  // namespace

void Touch(uint64_t* bits, uint64_t offset, uint64_t bytes) {
  while (bytes != 0) {
    const uint64_t in_word = std::min<uint64_t>(bytes, 64 - offset % 64);
    Set(bits[offset / 64], ~uint64_t{0} >> (64 - in_word) << offset % 64);
    offset += in_word;
    bytes -= in_word;
  }
}

void TouchLanes(uint64_t* bits, uint64_t first, const uint64_t* addresses, uint32_t mask,
                uint32_t bytes) {
  const uint64_t ones = (uint64_t{1} << bytes) - 1;
  uint64_t word = (addresses[std::countr_zero(mask)] - first) / 64;
  uint64_t gathered = 0;
  for (; mask != 0; mask &= mask - 1) {
    const uint64_t offset = addresses[std::countr_zero(mask)] - first;
    if (offset / 64 != word) {
      Set(bits[word], gathered);
      word = offset / 64;
      gathered = 0;
    }
    gathered |= ones << offset % 64;
  }
  Set(bits[word], gathered);
}

}  // namespace culprit::exec
