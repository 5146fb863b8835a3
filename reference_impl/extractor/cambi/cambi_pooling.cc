// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/cambi/cambi_pooling.h"

#include <algorithm>

namespace culprit::reference {
namespace {

constexpr double kPooledPart = 0.6;
constexpr double kFixedPoint = 16777216.0;

}  // namespace

CambiExtents CambiExtentsOf(uint32_t width, uint32_t height) {
  CambiExtents extents;
  for (CambiExtent& extent : extents) {
    extent = {width, height};
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  return extents;
}

CambiLayers CambiLayersOf(const CambiExtents& extents) {
  CambiLayers layers{};
  uint64_t offset = 0;
  for (uint32_t scale = 0; scale < kCambiScales; ++scale) {
    const uint32_t samples = extents[scale].samples();
    layers.offset[scale] = offset;
    layers.samples[scale] = samples;
    layers.wanted[scale] = std::clamp(static_cast<uint32_t>(kPooledPart * samples), 1u, samples);
    offset += samples;
  }
  return layers;
}

double CambiScore(const CambiShare* shares, const CambiLayers& layers, uint32_t window) {
  constexpr double kLargest = 1000;
  double sum = 0;
  for (uint32_t scale = 0; scale < kCambiScales; ++scale) {
    const CambiShare& share = shares[scale];
    const double pooled = static_cast<double>(share.above) / kFixedPoint +
                          static_cast<double>(share.smallest) * share.of_smallest;
    const double weight = 1u << (kCambiScales - 1 - scale);
    sum += pooled / layers.wanted[scale] * weight;
  }
  return std::min(sum / (static_cast<double>(window) * window), kLargest);
}

}  // namespace culprit::reference
