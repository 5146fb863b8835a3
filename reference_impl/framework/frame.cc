// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/frame.h"

#include <cerrno>
#include <cstring>

namespace culprit::reference {
namespace {

constexpr uint32_t kSmallestSide = 3;  // the five-tap mirror of motion needs three samples
constexpr uint32_t kLargestSide = 32768;

}  // namespace

Status CheckGeometry(const Geometry& geometry) {
  for (const uint32_t side : {geometry.width, geometry.height}) {
    if (side < kSmallestSide || side > kLargestSide) {
      return ExtractorFailure(-EINVAL, "a frame is " + std::to_string(geometry.width) + "x" +
                                           std::to_string(geometry.height) +
                                           "; sides from 3 to 32768 are supported");
    }
  }
  const uint32_t bits = geometry.bits;
  if (bits != 8 && bits != 10 && bits != 12 && bits != 16) {
    return ExtractorFailure(
        -EINVAL, std::to_string(bits) + " bits per sample; 8, 10, 12 and 16 are supported");
  }
  if (geometry.format < PixelFormat::k420 || geometry.format > PixelFormat::k400) {
    return ExtractorFailure(-EINVAL, "unknown pixel format");
  }
  return Status();
}

HostFrame::HostFrame(const FrameView& source) : view_{source.geometry, {}, {}} {
  for (uint32_t plane = 0; plane < source.geometry.planes(); ++plane) {
    const size_t row_bytes = source.geometry.row_bytes(plane);
    planes_[plane].resize(source.geometry.plane_bytes(plane));
    for (uint32_t y = 0; y < source.geometry.plane_height(plane); ++y) {
      std::memcpy(planes_[plane].data() + y * row_bytes,
                  source.data[plane] + y * source.stride[plane], row_bytes);
    }
    view_.data[plane] = planes_[plane].data();
    view_.stride[plane] = row_bytes;
  }
}

}  // namespace culprit::reference
