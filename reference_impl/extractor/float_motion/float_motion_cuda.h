// SPDX-License-Identifier: Apache-2.0
//
// Motion on fractions, on a device. Every block leaves a partial sum.
//
// Writes motion, motion2 and motion3 of each frame: the mean absolute difference of the blurred
// reference luma from the frame before, in steps of eight bits. Forced to zero it needs no device.
// Defined by the feature `float_motion` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_MOTION_FLOAT_MOTION_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_MOTION_FLOAT_MOTION_CUDA_H_

#include <array>

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/motion/motion_timeline.h"

namespace culprit::reference {

class FloatMotionCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;
  Status Flush(FeatureCollector& collector) override { return timeline_.CloseLast(collector); }

 protected:
  Status Configure(const Options& options) override;
  bool device_free() const override { return options_.force_zero; }
  size_t result_bytes() const override { return 2 * full_blocks() * sizeof(double); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  // The results: the partial sums at full size, then those at half size.
  size_t full_blocks() const { return BlocksOver(geometry().width, geometry().height); }
  uint32_t half_width() const { return (geometry().width + 1) / 2; }
  uint32_t half_height() const { return (geometry().height + 1) / 2; }
  double Distance() const;

  MotionOptions options_;
  MotionTimeline timeline_;
  bool add_half_size_ = false;
  std::array<float, 3> taps_{};  // outer, inner, centre
  Module module_;
  CUfunction columns_ = nullptr;
  CUfunction rows_sad_ = nullptr;
  CUfunction half_size_sad_ = nullptr;
  CUdeviceptr filtered_ = 0;
  std::array<CUdeviceptr, 2> blurred_{};
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_MOTION_FLOAT_MOTION_CUDA_H_
