// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/copy.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace culprit::fakedriver {
namespace {

bool MultiplyAdd(uint64_t a, uint64_t b, uint64_t* sum) {
  uint64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

bool Packed(const Block& block, const Extent& extent) {
  return (extent.height == 1 || block.row_pitch == extent.width) &&
         (extent.depth == 1 || block.slice_pitch == extent.width * extent.height);
}

// One long row instead of many that touch.
Extent Joined(const Extent& extent) { return {extent.width * extent.height * extent.depth, 1, 1}; }

void FillRow(std::byte* row, uint64_t width, uint32_t value, uint32_t element) {
  if (element == 1) {
    std::memset(row, static_cast<int>(value & 0xff), width);
    return;
  }
  const uint64_t first = std::min<uint64_t>(width, element);
  std::memcpy(row, &value, first);
  for (uint64_t done = first; done < width;) {
    const uint64_t more = std::min(done, width - done);
    std::memcpy(row + done, row, more);
    done += more;
  }
}

uint64_t Mix(uint64_t value) {
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93;
  value ^= value >> 32;
  return value;
}

}  // namespace

std::optional<uint64_t> SpanOf(const Extent& extent, uint64_t row_pitch, uint64_t slice_pitch) {
  if (extent.empty()) return 0;
  uint64_t span = extent.width;
  if (!MultiplyAdd(extent.height - 1, row_pitch, &span)) return std::nullopt;
  if (!MultiplyAdd(extent.depth - 1, slice_pitch, &span)) return std::nullopt;
  return span;
}

void CopyBlock(const Block& to, const Block& from, const Extent& extent) {
  if (extent.empty()) return;
  if (Packed(to, extent) && Packed(from, extent)) {
    std::memmove(to.first, from.first, Joined(extent).width);
    return;
  }
  for (uint64_t z = 0; z < extent.depth; ++z) {
    for (uint64_t y = 0; y < extent.height; ++y) {
      std::memmove(to.Row(y, z), from.Row(y, z), extent.width);
    }
  }
}

void FillBlock(const Block& to, const Extent& extent, uint32_t value, uint32_t element) {
  for (uint64_t z = 0; z < extent.depth; ++z) {
    for (uint64_t y = 0; y < extent.height; ++y) {
      FillRow(to.Row(y, z), extent.width, value, element);
    }
  }
}

std::vector<std::byte> PackBlock(const Block& from, const Extent& extent) {
  std::vector<std::byte> bytes(Joined(extent).width);
  CopyBlock({bytes.data(), extent.width, extent.width * extent.height}, from, extent);
  return bytes;
}

std::optional<uint64_t> HashOfReadable(const Block& from, const Extent& extent) {
  std::array<std::byte, 16384> buffer;
  uint64_t hash = 0;
  for (uint64_t z = 0; z < extent.depth; ++z) {
    for (uint64_t y = 0; y < extent.height; ++y) {
      std::byte* row = from.Row(y, z);
      for (uint64_t done = 0; done < extent.width;) {
        const uint64_t part = std::min<uint64_t>(buffer.size(), extent.width - done);
        const iovec local{buffer.data(), part};
        const iovec remote{row + done, part};
        if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != static_cast<ssize_t>(part)) {
          return std::nullopt;
        }
        hash = HashBytes(buffer.data(), part, hash);
        done += part;
      }
    }
  }
  return hash;
}

uint64_t HashBytes(const std::byte* bytes, uint64_t size, uint64_t seed) {
  std::array<uint64_t, 4> lanes{seed ^ 0x9e3779b97f4a7c15, seed + size, ~seed, Mix(seed + 1)};
  uint64_t done = 0;
  for (; done + 32 <= size; done += 32) {
    std::array<uint64_t, 4> words;
    std::memcpy(words.data(), bytes + done, 32);
    for (size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = (lanes[i] ^ words[i]) * 0x9fb21c651e98df25;
      lanes[i] ^= lanes[i] >> 29;
    }
  }
  uint64_t hash = Mix(lanes[0]) ^ Mix(lanes[1] + 1) ^ Mix(lanes[2] + 2) ^ Mix(lanes[3] + 3);
  while (done < size) {
    const uint64_t part = std::min<uint64_t>(8, size - done);
    uint64_t word = 0;
    std::memcpy(&word, bytes + done, part);
    hash = Mix(hash ^ word ^ part);
    done += part;
  }
  return Mix(hash ^ size);
}

}  // namespace culprit::fakedriver
