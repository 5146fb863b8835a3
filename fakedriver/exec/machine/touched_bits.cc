// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/touched_bits.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "fakedriver/exec/machine/instruction.h"

namespace culprit::exec {
namespace {

void Set(uint64_t& word, uint64_t bits) {
  std::atomic_ref<uint64_t> shared(word);
  if ((shared.load(std::memory_order_relaxed) & bits) == bits) return;
  shared.fetch_or(bits, std::memory_order_relaxed);
}

void TouchRow(uint64_t* bits, uint64_t offset, uint64_t count, uint64_t step, uint32_t bytes) {
  if (step == bytes) {
    Touch(bits, offset, count * bytes);
    return;
  }
  const uint64_t ones = (uint64_t{1} << bytes) - 1;
  uint64_t word = offset / 64;
  uint64_t gathered = 0;
  for (; count != 0; --count, offset += step) {
    if (offset / 64 != word) {
      Set(bits[word], gathered);
      word = offset / 64;
      gathered = 0;
    }
    gathered |= ones << offset % 64;
  }
  Set(bits[word], gathered);
}

bool GoesOn(const NotedRow& noted, const NotedRow& row) {
  if (noted.step != row.step || row.first > noted.last + row.step ||
      row.last + row.step < noted.first) {
    return false;
  }
  const uint64_t apart = std::max(row.first, noted.first) - std::min(row.first, noted.first);
  return apart % row.step == 0;
}

void TouchHalf(uint64_t* bits, uint64_t first, NotedRow* noted, uint64_t from, uint64_t to,
               uint32_t bytes) {
  const auto [begin, end] = std::minmax(from, to);
  const NotedRow row{.first = begin, .last = end, .step = (end - begin) / (kLanes / 2 - 1)};
  if (row.step == 0) {
    Touch(bits, begin - first, bytes);
    return;
  }
  if (!GoesOn(*noted, row)) {
    TouchRow(bits, begin - first, kLanes / 2, row.step, bytes);
    *noted = row;
    return;
  }
  if (begin < noted->first) {
    TouchRow(bits, begin - first, (noted->first - begin) / row.step, row.step, bytes);
    noted->first = begin;
  }
  if (end > noted->last) {
    const uint64_t next = noted->last + row.step;
    TouchRow(bits, next - first, (end - noted->last) / row.step, row.step, bytes);
    noted->last = end;
  }
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

void TouchHalves(uint64_t* bits, uint64_t first, NotedRow* noted, const uint64_t* addresses,
                 uint32_t bytes) {
  for (uint32_t half = 0; half < 2; ++half) {
    const uint64_t* lanes = addresses + half * (kLanes / 2);
    TouchHalf(bits, first, noted + half, lanes[0], lanes[kLanes / 2 - 1], bytes);
  }
}

}  // namespace culprit::exec
