// SPDX-License-Identifier: Apache-2.0
//
// SpEED of chroma: distances of the statistics of both chroma planes, on a device. The device
// describes the planes, the host compares the descriptions.
//
// Writes speed_chroma_u, speed_chroma_v and speed_chroma_uv of each frame, without unit: 0 where
// the planes are equal. Init answers -EINVAL for chroma planes below 80x80. Defined by the feature
// `speed_chroma` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_CHROMA_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_CHROMA_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/speed/speed_kernels.h"

namespace culprit::reference {

class SpeedChromaCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override;
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  // Where a plane's statistics are: of the reference, then of the distorted one.
  size_t OffsetOf(uint32_t plane, uint32_t which) const;
  SpeedDistance DistanceOf(uint32_t plane) const;

  SpeedExtent extent_;
  Module module_;
  SpeedKernels kernels_;
  CUdeviceptr small_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_CHROMA_CUDA_H_
