// SPDX-License-Identifier: Apache-2.0
//
// Additive impairment and detail loss in fixed point, four wavelet levels, on a device. Four
// modules, one for each stage.
//
// Writes integer_adm2, integer_adm3, integer_aim and integer_adm_scale0 to 3 of each frame, without
// unit: 1, and 0 for aim, where the pictures are equal. Luma only. Init answers -EINVAL for
// pictures below 32x32. Defined by the feature `adm` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_CUDA_H_

#include <array>

#include "reference_impl/extractor/adm/adm_score.h"
#include "reference_impl/extractor/adm/adm_wavelet.h"
#include "reference_impl/extractor/cuda_extractor.h"

namespace culprit::reference {

class AdmCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return kAdmLevels * sizeof(AdmSums); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override;
  Status Launch(const FramePair& pair) override;

 private:
  Status LoadModules(const std::shared_ptr<Context>& context);
  Status FindFunctions();
  Status AllocateScratch(const std::shared_ptr<Context>& context);
  Status TransformFirst(const Picture& picture, const AdmWavelet& target);
  Status Transform(uint32_t level, const AdmWavelet& source, const AdmWavelet& target);
  Status LaunchRows(uint32_t level, int width, const AdmWavelet& target, int rounding, int shift);
  Status LaunchLevel(uint32_t level);
  Status LaunchDenominator(uint32_t level);
  Status LaunchMasked(uint32_t level, const AdmBands& detail, const AdmBands& masking,
                      CUdeviceptr totals);
  CUdeviceptr SumsOf(uint32_t level) const { return results() + level * sizeof(AdmSums); }

  AdmScore score_;
  Module dwt_module_;
  Module decouple_module_;
  Module csf_module_;
  Module cm_module_;
  CUfunction first_columns_ = nullptr;
  CUfunction columns_ = nullptr;
  CUfunction rows_ = nullptr;
  CUfunction decouple_ = nullptr;
  CUfunction first_denominator_ = nullptr;
  CUfunction denominator_ = nullptr;
  CUfunction mask_ = nullptr;
  CUfunction masked_sum_ = nullptr;
  std::array<AdmWavelet, kAdmLevels> reference_;
  std::array<AdmWavelet, kAdmLevels> distorted_;
  CUdeviceptr low_ = 0;
  CUdeviceptr high_ = 0;
  AdmBands restored_{};
  AdmBands additive_{};
  AdmBands magnitudes_{};
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_CUDA_H_
