// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CUDA_H_

#include "reference_impl/extractor/extractor.h"
#include "reference_impl/extractor/psnr/psnr_score.h"
#include "reference_impl/framework/readback.h"
#include "reference_impl/resource/module.h"

namespace culprit::reference {

class PsnrCuda final : public Extractor {
 public:
  Status Init(const ExtractorSetup& setup, const Options& options) override;
  Status Submit(const FramePair& pair) override;
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;
  Status Close() override;
  const KernelLifecycle* lifecycle() const override { return &lifecycle_; }

 private:
  Status Create(const ExtractorSetup& setup);
  Status Launch(const FramePair& pair, uint32_t plane);

  PsnrScore score_;
  KernelLifecycle lifecycle_;
  Readback<uint64_t> squared_errors_;
  Module module_;
  CUfunction squared_error_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CUDA_H_
