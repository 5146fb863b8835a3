// SPDX-License-Identifier: Apache-2.0
//
// PSNR of the luma, on samples scaled to eight bits, on a device. The squared error is summed
// exactly, in integers; only the score is a fraction.
//
// Writes float_psnr of each frame in dB, at most 60, 72, 84 or 108 for 8, 10, 12 or 16 bits.
// Defined by the feature `float_psnr` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_PSNR_FLOAT_PSNR_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_PSNR_FLOAT_PSNR_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"

namespace culprit::reference {

class FloatPsnrCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return sizeof(uint64_t); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  Module module_;
  CUfunction squared_error_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_PSNR_FLOAT_PSNR_CUDA_H_
