// SPDX-License-Identifier: Apache-2.0
//
// Integer motion on a CUDA device. The distances of a batch of frames stay there until it is full.
//
// Writes integer_motion, integer_motion2 and integer_motion3 of each frame: the mean absolute
// difference of the blurred reference luma from the frame before, in steps of eight bits. Forced to
// zero it needs no device. Defined by the feature `motion` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_CUDA_H_

#include <array>

#include "reference_impl/extractor/motion/batched_motion.h"
#include "reference_impl/framework/readback.h"
#include "reference_impl/resource/module.h"

namespace culprit::reference {

class MotionCuda final : public BatchedMotion {
 public:
  Status Close() override;
  const KernelLifecycle* lifecycle() const override;

 protected:
  Status OpenDevice(const ExtractorSetup& setup) override;
  Status SubmitDistance(const FramePair& pair, uint32_t slot) override;
  std::span<const uint64_t> Distances(uint32_t first, uint32_t count) const override;
  Status FetchDistances(uint32_t first, uint32_t count) override;

 private:
  static constexpr size_t kPictures = 3;  // the current one and the two before it

  Status Create(const ExtractorSetup& setup);
  Status LaunchBlur(const Picture& picture, uint32_t index, uint32_t slot);

  KernelLifecycle lifecycle_;
  Buffer columns_;
  std::array<Buffer, kPictures> blurred_;
  Readback<uint64_t> distances_;
  Module module_;
  CUfunction blur_columns_ = nullptr;
  CUfunction blur_rows_sad_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_CUDA_H_
