// SPDX-License-Identifier: Apache-2.0
//
// Structural similarity on integer samples, on a device. Every block leaves partial sums.
//
// Writes ssim of each frame, without unit: 1 where the pictures are equal. Luma only. Defined by
// the feature `ssim` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_INTEGER_SSIM_INTEGER_SSIM_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_INTEGER_SSIM_INTEGER_SSIM_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"

namespace culprit::reference {

class IntegerSsimCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return 2 * blocks() * sizeof(double); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  size_t blocks() const { return BlocksOver(geometry().width, geometry().height); }

  Module module_;
  CUfunction rows_ = nullptr;
  CUfunction columns_ = nullptr;
  CUdeviceptr moments_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_INTEGER_SSIM_INTEGER_SSIM_CUDA_H_
