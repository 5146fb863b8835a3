// SPDX-License-Identifier: Apache-2.0
//
// The mean CIEDE2000 colour difference, on a device. Every block leaves a partial sum.
//
// Writes ciede2000 of each frame: 45 dB less 20 log10 of the mean difference, infinite where the
// pictures are equal. Chroma is repeated to the size of luma. Init answers -EINVAL without chroma.
// Defined by the feature `ciede` of lusoris/vmaf.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_CIEDE_CIEDE_CUDA_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_CIEDE_CIEDE_CUDA_H_

#include "reference_impl/extractor/cuda_extractor.h"

namespace culprit::reference {

class CiedeCuda final : public CudaExtractor {
 public:
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;

 protected:
  Status Configure(const Options& options) override;
  size_t result_bytes() const override { return partials() * sizeof(double); }
  Status OpenKernels(const std::shared_ptr<Context>& context) override;
  Status CloseModules() override { return module_.Close(); }
  Status Launch(const FramePair& pair) override;

 private:
  size_t partials() const { return BlocksOver(geometry().width, geometry().height); }

  Module module_;
  CUfunction differences_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_CIEDE_CIEDE_CUDA_H_
