// SPDX-License-Identifier: Apache-2.0
//
// Integer motion on the host: the twin that the CUDA extractor is compared with.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_CPU_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_CPU_H_

#include "reference_impl/extractor/extractor.h"
#include "reference_impl/extractor/motion/motion_blur.h"
#include "reference_impl/extractor/motion/motion_timeline.h"

namespace culprit::reference {

class MotionCpu final : public Extractor {
 public:
  Status Init(const ExtractorSetup& setup, const Options& options) override;
  Status Submit(const FramePair& pair) override;
  Status Collect(uint32_t index, Reach reach, FeatureCollector& collector) override;
  Status Flush(FeatureCollector& collector) override;
  Status Close() override { return Status(); }

 private:
  MotionOptions options_;
  Geometry geometry_;
  BlurHistory history_;
  MotionTimeline timeline_;
  uint64_t distance_ = 0;  // of the frame submitted last
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_CPU_H_
