// SPDX-License-Identifier: Apache-2.0
//
// The mean of each scale's largest contrasts, and how many of them there are.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_POOLING_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_POOLING_H_

#include <array>
#include <cstdint>

namespace culprit::reference {

inline constexpr uint32_t kCambiScales = 5;

struct CambiExtent {
  uint32_t width = 0;
  uint32_t height = 0;

  uint32_t samples() const { return width * height; }
};
using CambiExtents = std::array<CambiExtent, kCambiScales>;

// Each scale has the even samples of the one before it.
CambiExtents CambiExtentsOf(uint32_t width, uint32_t height);

// As the kernels read it: where each scale's contrasts begin, and the largest how many are pooled.
struct CambiLayers {
  uint64_t offset[kCambiScales];
  uint32_t samples[kCambiScales];
  uint32_t wanted[kCambiScales];
};
CambiLayers CambiLayersOf(const CambiExtents& extents);

// As the kernels write it: the sum, in 24 fractional bits, of the contrasts above the smallest one
// that is pooled, and how often that one is.
struct CambiShare {
  uint64_t above;
  float smallest;
  uint32_t of_smallest;
};

// `shares` has one for each scale.
double CambiScore(const CambiShare* shares, const CambiLayers& layers, uint32_t window);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_POOLING_H_
