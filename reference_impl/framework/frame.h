// SPDX-License-Identifier: Apache-2.0
//
// Geometry of the frames of one session, and frames in host memory.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_FRAME_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_FRAME_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference_impl/driver/status.h"

namespace culprit::reference {

inline constexpr uint32_t kMaxPlanes = 3;

enum class PixelFormat : uint32_t { k420 = 1, k422 = 2, k444 = 3, k400 = 4 };

struct Geometry {
  uint32_t width = 0;  // luma
  uint32_t height = 0;
  uint32_t bits = 8;
  PixelFormat format = PixelFormat::k420;

  bool operator==(const Geometry&) const = default;

  uint32_t planes() const { return format == PixelFormat::k400 ? 1 : kMaxPlanes; }
  // Chroma rounds up.
  uint32_t plane_width(uint32_t plane) const {
    const bool halved = plane > 0 && format != PixelFormat::k444;
    return halved ? (width + 1) / 2 : width;
  }
  uint32_t plane_height(uint32_t plane) const {
    const bool halved = plane > 0 && format == PixelFormat::k420;
    return halved ? (height + 1) / 2 : height;
  }
  size_t sample_bytes() const { return bits > 8 ? 2 : 1; }
  // A sample divided by it is in units of eight bits.
  float sample_scale() const { return static_cast<float>(1u << (bits - 8)); }
  size_t row_bytes(uint32_t plane) const { return plane_width(plane) * sample_bytes(); }
  size_t plane_bytes(uint32_t plane) const { return row_bytes(plane) * plane_height(plane); }
};

// -EINVAL for what no extractor could work on.
Status CheckGeometry(const Geometry& geometry);

// Somebody else's samples.
struct FrameView {
  Geometry geometry;
  std::array<const uint8_t*, kMaxPlanes> data{};
  std::array<size_t, kMaxPlanes> stride{};

  // One sample, whatever its width in memory; two-byte samples are little-endian.
  uint32_t Sample(uint32_t plane, uint32_t x, uint32_t y) const {
    const uint8_t* row = data[plane] + y * stride[plane];
    return geometry.bits > 8 ? row[2 * x] | uint32_t{row[2 * x + 1]} << 8 : row[x];
  }
};

// A copy of its own, rows without padding.
class HostFrame {
 public:
  explicit HostFrame(const FrameView& source);
  const FrameView& view() const { return view_; }

 private:
  std::array<std::vector<uint8_t>, kMaxPlanes> planes_;
  FrameView view_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_FRAME_H_
