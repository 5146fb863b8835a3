// SPDX-License-Identifier: Apache-2.0
//
// Additive impairment and detail loss on fractions, four wavelet levels, on a device. Every level
// leaves the sums of its bands' rows.
//
// Writes adm2, adm3, aim and adm_scale0 to 3 of each frame, without unit: 1, and 0 for aim, where
// the pictures are equal. Luma only. Init answers -EINVAL for pictures below 32x32. Defined by the
// feature `float_adm` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_ADM_FLOAT_ADM_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_ADM_FLOAT_ADM_CUDA_H_

#include <array>

#include "reference_impl/extractor/adm/adm_report.h"
#include "reference_impl/extractor/adm/adm_wavelet.h"
#include "reference_impl/extractor/cuda_extractor.h"

namespace culprit::reference {

class FloatAdmCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override {
    return FirstRow(kAdmLevels, kDenominator) * sizeof(double);
  }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  // What is summed; the results hold, level after level, three bands' rows of each.
  enum Summed : uint32_t { kDenominator, kNumerator, kAdditive, kSummed };

  Status FindFunctions();
  Status AllocateScratch(const std::shared_ptr<Context>& context);
  Status TransformAll(const Picture& picture, const std::array<AdmWavelet, kAdmLevels>& wavelets);
  Status Transform(uint32_t level, CUdeviceptr source, const AdmWavelet& target);
  Status LaunchLevel(uint32_t level);
  Status LaunchMasked(uint32_t level, const AdmBands& detail, const AdmBands& masking,
                      Summed summed);
  size_t FirstRow(uint32_t level, Summed summed) const;
  CUdeviceptr RowsOf(uint32_t level, Summed summed) const {
    return results() + FirstRow(level, summed) * sizeof(double);
  }
  double Sum(uint32_t level, Summed summed, uint32_t band) const;

  AdmReport report_;
  Module module_;
  CUfunction convert_ = nullptr;
  CUfunction columns_ = nullptr;
  CUfunction rows_ = nullptr;
  CUfunction decouple_ = nullptr;
  CUfunction denominator_ = nullptr;
  CUfunction mask_ = nullptr;
  CUfunction masked_sum_ = nullptr;
  std::array<AdmWavelet, kAdmLevels> reference_;
  std::array<AdmWavelet, kAdmLevels> distorted_;
  CUdeviceptr picture_ = 0;
  CUdeviceptr low_ = 0;
  CUdeviceptr high_ = 0;
  AdmBands restored_{};
  AdmBands additive_{};
  CUdeviceptr magnitudes_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_ADM_FLOAT_ADM_CUDA_H_
