// SPDX-License-Identifier: Apache-2.0
//
// From the statistics of two planes to their distance: entropies of 5 x 5 blocks, each weighted by
// the block's energy. The linear algebra is that of one 25 x 25 matrix a plane, on the host.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_SCORE_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace culprit::reference {

inline constexpr uint32_t kSpeedStep = 16;  // every 16th sample is kept
inline constexpr uint32_t kSpeedBlock = 5;
inline constexpr uint32_t kSpeedPlaces = kSpeedBlock * kSpeedBlock;

// Of a plane of which every 16th sample was kept.
struct SpeedExtent {
  uint32_t width = 0;
  uint32_t height = 0;

  static SpeedExtent Of(uint32_t plane_width, uint32_t plane_height) {
    return {plane_width / kSpeedStep, plane_height / kSpeedStep};
  }
  uint32_t columns() const { return width / kSpeedBlock; }  // of whole blocks
  uint32_t rows() const { return height / kSpeedBlock; }
  bool holds_a_block() const { return columns() > 0 && rows() > 0; }
  // Positions of the window inside the whole blocks.
  uint32_t inner_width() const { return columns() * kSpeedBlock - (kSpeedBlock - 1); }
  uint32_t inner_height() const { return rows() * kSpeedBlock - (kSpeedBlock - 1); }
  size_t samples() const { return size_t{width} * height; }
};

// Views of what a device sent: the plane less its local mean, and the covariance of the places.
struct SpeedStatistics {
  std::span<const double> detail;      // extent.samples()
  std::span<const double> covariance;  // kSpeedPlaces squared
};

struct SpeedDistance {
  double value = 0;  // 0 when one of the covariances is singular
  bool singular = false;
};

SpeedDistance SpeedDistanceOf(const SpeedExtent& extent, const SpeedStatistics& reference,
                              const SpeedStatistics& distorted);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_SCORE_H_
