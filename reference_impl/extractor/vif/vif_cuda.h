// SPDX-License-Identifier: Apache-2.0
//
// Visual information fidelity in fixed point, four scales, on a device. The table of logarithms is
// uploaded once, on a stream of its own, and an event tells the kernels' stream that it is there.
//
// Writes integer_vif_scale0 to 3 of each frame, without unit: 1 where the pictures are equal. Luma
// only. Init answers -EINVAL for pictures below 16x16. Defined by the feature `vif` of
// lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"
#include "reference_impl/extractor/vif/vif_score.h"
#include "reference_impl/extractor/vif/vif_scratch.h"
#include "reference_impl/framework/table_upload.h"

namespace culprit::reference {

class VifCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return kVifScales * kSums * sizeof(uint64_t); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override;
  Status Launch(const FramePair& pair) override;

 private:
  static constexpr uint32_t kSums = 4;

  Status FindFunctions();
  Status Widen(const Picture& picture, CUdeviceptr target);
  Status LaunchScale(uint32_t index);
  Status Shrink(uint32_t to, CUdeviceptr source, CUdeviceptr target);
  VifInformation InformationOf(uint32_t scale) const;

  VifScore score_;
  Module module_;
  TableUpload log_table_;
  CUfunction widen_ = nullptr;
  CUfunction columns_ = nullptr;
  CUfunction rows_ = nullptr;
  CUfunction shrink_columns_ = nullptr;
  CUfunction shrink_rows_ = nullptr;
  VifScratch buffers_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_CUDA_H_
