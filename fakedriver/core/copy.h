// SPDX-License-Identifier: Apache-2.0
//
// Moving and filling blocks of bytes: rows of a width, `height` of them a pitch apart, `depth`
// times.
#ifndef FAKEDRIVER_CORE_COPY_H_
#define FAKEDRIVER_CORE_COPY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace culprit::fakedriver {

struct Extent {
  uint64_t width = 0;  // bytes
  uint64_t height = 1;
  uint64_t depth = 1;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

struct Block {
  std::byte* first = nullptr;
  uint64_t row_pitch = 0;
  uint64_t slice_pitch = 0;

  std::byte* Row(uint64_t y, uint64_t z) const { return first + y * row_pitch + z * slice_pitch; }
};

// Bytes from the first to behind the last that the extent touches; nothing on overflow. Pitches of
// a single row or slice do not count.
std::optional<uint64_t> SpanOf(const Extent& extent, uint64_t row_pitch, uint64_t slice_pitch);

void CopyBlock(const Block& to, const Block& from, const Extent& extent);

// Fills with the low `element` bytes (1, 2 or 4) of `value`; the width is a multiple of `element`.
void FillBlock(const Block& to, const Extent& extent, uint32_t value, uint32_t element);

// The bytes of the extent, rows packed.
std::vector<std::byte> PackBlock(const Block& from, const Extent& extent);

// A fingerprint of the bytes of the extent. Reads through the system, so that memory which is gone
// meanwhile gives nothing instead of a crash.
std::optional<uint64_t> HashOfReadable(const Block& from, const Extent& extent);

uint64_t HashBytes(const std::byte* bytes, uint64_t size, uint64_t seed = 0);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_COPY_H_
