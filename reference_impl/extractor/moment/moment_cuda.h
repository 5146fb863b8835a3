// SPDX-License-Identifier: Apache-2.0
//
// First and second moments of the luma of both pictures, on a device. The sums are exact, in
// integers.
//
// Writes float_moment_ref1st and float_moment_dis1st, means of the samples in steps of eight bits,
// and float_moment_ref2nd and float_moment_dis2nd, means of their squares. Defined by the feature
// `float_moment` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOMENT_MOMENT_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOMENT_MOMENT_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"

namespace culprit::reference {

class MomentCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return 4 * sizeof(uint64_t); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  Module module_;
  CUfunction moments_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOMENT_MOMENT_CUDA_H_
