// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/motion_cpu.h"

namespace culprit::reference {

Status MotionCpu::Init(const ExtractorSetup& setup, const Options& options) {
  Status read = ReadMotionOptions(options, "integer_", &options_);
  if (!read.ok()) return read;
  geometry_ = setup.geometry;
  history_ = BlurHistory(options_.distance());
  timeline_.Start(options_);
  return Status();
}

Status MotionCpu::Submit(const FramePair& pair) {
  distance_ = options_.force_zero ? 0 : history_.Add(*pair.reference);
  return Status();
}

Status MotionCpu::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  return timeline_.Append(index, MotionOf(distance_, geometry_), collector);
}

Status MotionCpu::Flush(FeatureCollector& collector) { return timeline_.CloseLast(collector); }

}  // namespace culprit::reference
