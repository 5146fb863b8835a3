// SPDX-License-Identifier: Apache-2.0
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
