// SPDX-License-Identifier: Apache-2.0
//
// PSNR of every plane, on a device. The squared errors are summed exactly, in integers.
//
// Writes psnr_y, psnr_cb and psnr_cr of each frame in dB, at most 6 times the bits plus 12; with
// `enable_mse` the mean squared errors, too. Defined by the feature `psnr` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/psnr/psnr_score.h"

namespace culprit::reference {

class PsnrCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return kMaxPlanes * sizeof(uint64_t); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  PsnrScore score_;
  Module module_;
  CUfunction squared_error_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CUDA_H_
