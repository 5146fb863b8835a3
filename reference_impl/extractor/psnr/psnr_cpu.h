// SPDX-License-Identifier: Apache-2.0
//
// PSNR of every plane on the host: the twin that the CUDA extractor is compared with. Same keys,
// same bits.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CPU_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CPU_H_

#include <array>

#include "reference_impl/extractor/extractor.h"
#include "reference_impl/extractor/psnr/psnr_score.h"

namespace culprit::reference {

class PsnrCpu final : public Extractor {
 public:
  Status Init(const ExtractorSetup& setup, const Options& options) override;
  Status Submit(const FramePair& pair) override;
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;
  Status Close() override { return Status(); }

 private:
  PsnrScore score_;
  std::array<uint64_t, kMaxPlanes> squared_errors_{};
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_CPU_H_
