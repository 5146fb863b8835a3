// SPDX-License-Identifier: Apache-2.0
//
// Additive impairment and detail loss in fixed point, four wavelet levels, on a device. Four
// modules, one for each stage.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_CUDA_H_

#include <array>

#include "reference_impl/extractor/adm/adm_score.h"
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
  // Horizontal, vertical, diagonal.
  using Bands = std::array<CUdeviceptr, 3>;
  struct Wavelet {
    CUdeviceptr approximation = 0;
    Bands details{};
  };

  Status LoadModules(const std::shared_ptr<Context>& context);
  Status AllocateScratch(const std::shared_ptr<Context>& context);
  Status AllocateBands(const std::shared_ptr<Context>& context, size_t bytes, Bands* bands);
  Status TransformFirst(const Picture& picture, const Wavelet& target);
  Status Transform(uint32_t level, const Wavelet& source, const Wavelet& target);
  Status LaunchRows(uint32_t level, int width, const Wavelet& target, int rounding, int shift);
  Status LaunchLevel(uint32_t level);
  Status LaunchDenominator(uint32_t level);
  Status LaunchMasked(uint32_t level, const Bands& detail, const Bands& masking,
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
  std::array<Wavelet, kAdmLevels> reference_;
  std::array<Wavelet, kAdmLevels> distorted_;
  CUdeviceptr low_ = 0;
  CUdeviceptr high_ = 0;
  Bands restored_{};
  Bands additive_{};
  Bands magnitudes_{};
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_CUDA_H_
