// SPDX-License-Identifier: Apache-2.0
//
// The second integer motion, on a device: the difference of two pictures is blurred, not the
// pictures; one distance a frame, and the same timeline as the first one.
//
// Writes VMAF_integer_feature_motion_v2_sad_score, VMAF_integer_feature_motion2_v2_score and
// VMAF_integer_feature_motion3_v2_score of each frame, in steps of eight bits. Forced to zero it
// needs no device. Defined by the feature `motion_v2` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_V2_MOTION_V2_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_V2_MOTION_V2_CUDA_H_

#include <array>

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/motion/motion_timeline.h"

namespace culprit::reference {

class MotionV2Cuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;
  Status Flush(FeatureCollector& collector) override { return timeline_.CloseLast(collector); }

 protected:
  Status Configure(const Options& options) override;
  bool device_free() const override { return options_.force_zero; }
  size_t result_bytes() const override { return sizeof(uint64_t); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  MotionOptions options_;
  MotionTimeline timeline_;
  Module module_;
  CUfunction keep_ = nullptr;
  CUfunction columns_ = nullptr;
  CUfunction rows_sum_ = nullptr;
  std::array<CUdeviceptr, 2> luma_{};  // of this frame and the one before
  CUdeviceptr filtered_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_V2_MOTION_V2_CUDA_H_
