// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/motion_blur.h"

#include <cstdlib>

namespace culprit::reference {
namespace {

uint32_t Blur(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e) {
  return 3571 * (a + e) + 16004 * (b + d) + 26386 * c;
}

uint32_t Reflect(int64_t i, int64_t n) {
  return static_cast<uint32_t>(i < 0 ? -i : i >= n ? 2 * n - 2 - i : i);
}

}  // namespace

BlurredPicture BlurLuma(const FrameView& frame) {
  const uint32_t width = frame.geometry.width;
  const uint32_t height = frame.geometry.height;
  const uint32_t bits = frame.geometry.bits;
  BlurredPicture blurred(size_t{width} * height);
  std::vector<uint16_t> columns(width);
  for (uint32_t y = 0; y < height; ++y) {
    uint32_t rows[5];
    for (int64_t k = 0; k < 5; ++k) rows[k] = Reflect(y + k - 2, height);
    for (uint32_t x = 0; x < width; ++x) {
      const uint32_t sum = Blur(frame.Sample(0, x, rows[0]), frame.Sample(0, x, rows[1]),
                                frame.Sample(0, x, rows[2]), frame.Sample(0, x, rows[3]),
                                frame.Sample(0, x, rows[4]));
      columns[x] = static_cast<uint16_t>((sum + (1u << (bits - 1))) >> bits);
    }
    const auto at = [&](int64_t x) { return uint32_t{columns[Reflect(x, width)]}; };
    for (int64_t x = 0; x < width; ++x) {
      const uint32_t sum = Blur(at(x - 2), at(x - 1), at(x), at(x + 1), at(x + 2));
      blurred[size_t{y} * width + x] = static_cast<uint16_t>((sum + 32768) >> 16);
    }
  }
  return blurred;
}

uint64_t SumOfAbsoluteDifferences(const BlurredPicture& a, const BlurredPicture& b) {
  uint64_t sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<uint64_t>(std::abs(a[i] - b[i]));
  return sum;
}

uint64_t BlurHistory::Add(const FrameView& frame) {
  pictures_.push_back(BlurLuma(frame));
  if (pictures_.size() <= distance_) return 0;
  const uint64_t sum = SumOfAbsoluteDifferences(pictures_.back(), pictures_.front());
  pictures_.pop_front();
  return sum;
}

}  // namespace culprit::reference
