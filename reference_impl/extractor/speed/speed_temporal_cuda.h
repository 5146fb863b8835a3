// SPDX-License-Identifier: Apache-2.0
//
// Temporal SpEED: the distance of the statistics of luma's change from frame to frame, on a device.
// The first frame has none.
//
// Writes speed_temporal of each frame, without unit: 0 where both clips change alike, and for the
// first frame. Init answers -EINVAL for pictures below 80x80. Defined by the feature
// `speed_temporal` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_TEMPORAL_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_TEMPORAL_CUDA_H_

#include <array>

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/speed/speed_kernels.h"

namespace culprit::reference {

class SpeedTemporalCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return 2 * SpeedKernels::StatisticsBytes(extent_); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  Status LaunchClip(const Picture& picture, uint32_t index, uint32_t which);

  SpeedExtent extent_;
  Module module_;
  SpeedKernels kernels_;
  // Of each clip: this frame and the one before, shrunk.
  std::array<std::array<CUdeviceptr, 2>, 2> small_{};
  CUdeviceptr difference_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_TEMPORAL_CUDA_H_
