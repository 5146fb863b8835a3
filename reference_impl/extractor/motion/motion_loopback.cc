// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/motion_loopback.h"

#include <algorithm>

namespace culprit::reference {

Status MotionLoopback::OpenDevice(const ExtractorSetup&) {
  history_ = BlurHistory(options().distance());
  return Status();
}

Status MotionLoopback::SubmitDistance(const FramePair& pair, uint32_t slot) {
  on_device_[slot] = history_.Add(*pair.reference);
  return EndsBatch(pair.index) ? FetchDistances(0, kBatch) : Status();
}

std::span<const uint64_t> MotionLoopback::Distances(uint32_t first, uint32_t count) const {
  return std::span(at_home_).subspan(first, count);
}

Status MotionLoopback::FetchDistances(uint32_t first, uint32_t count) {
  std::copy_n(on_device_.begin() + first, count, at_home_.begin() + first);
  return Status();
}

}  // namespace culprit::reference
