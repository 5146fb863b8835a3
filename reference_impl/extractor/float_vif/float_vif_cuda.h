// SPDX-License-Identifier: Apache-2.0
//
// Visual information fidelity on fractions, four scales, on a device. Every scale leaves partial
// sums of its own.
//
// Writes vif_scale0 to 3 of each frame, without unit: 1 where the pictures are equal. Luma only.
// Init answers -EINVAL for pictures below 16x16. Defined by the feature `float_vif` of
// lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_VIF_FLOAT_VIF_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_VIF_FLOAT_VIF_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/vif/vif_score.h"
#include "reference_impl/extractor/vif/vif_scratch.h"

namespace culprit::reference {

class FloatVifCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return FirstPartial(kVifScales) * sizeof(double); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  Status Convert(const Picture& picture, CUdeviceptr target);
  Status LaunchScale(uint32_t scale);
  Status Shrink(uint32_t to, CUdeviceptr source, CUdeviceptr target);
  size_t Blocks(uint32_t scale) const;
  // The results hold, scale after scale, the numerator's partial sums and the denominator's.
  size_t FirstPartial(uint32_t scale) const;

  VifScore score_;
  Module module_;
  CUfunction convert_ = nullptr;
  CUfunction columns_ = nullptr;
  CUfunction rows_ = nullptr;
  CUfunction shrink_columns_ = nullptr;
  CUfunction shrink_rows_ = nullptr;
  VifScratch buffers_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_FLOAT_VIF_FLOAT_VIF_CUDA_H_
