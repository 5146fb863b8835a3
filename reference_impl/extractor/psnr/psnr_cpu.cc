// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/psnr/psnr_cpu.h"

namespace culprit::reference {

Status PsnrCpu::Init(const ExtractorSetup& setup, const Options& options) {
  return score_.Start(setup.geometry, options);
}

Status PsnrCpu::Submit(const FramePair& pair) {
  const Geometry& geometry = pair.reference->geometry;
  for (uint32_t plane = 0; plane < score_.planes(); ++plane) {
    uint64_t sum = 0;
    for (uint32_t y = 0; y < geometry.plane_height(plane); ++y) {
      for (uint32_t x = 0; x < geometry.plane_width(plane); ++x) {
        const int64_t difference =
            int64_t{pair.reference->Sample(plane, x, y)} - pair.distorted->Sample(plane, x, y);
        sum += static_cast<uint64_t>(difference * difference);
      }
    }
    squared_errors_[plane] = sum;
  }
  return Status();
}

Status PsnrCpu::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  return score_.Write(index, squared_errors_, collector);
}

}  // namespace culprit::reference
