// SPDX-License-Identifier: Apache-2.0
//
// Integer motion on a second GPU back end that has no driver: its device is this process. It
// batches and defers as the CUDA extractor does, so what the framework promises for every GPU back
// end can be seen without one.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_LOOPBACK_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_LOOPBACK_H_

#include <array>

#include "reference_impl/extractor/motion/batched_motion.h"
#include "reference_impl/extractor/motion/motion_blur.h"

namespace culprit::reference {

class MotionLoopback final : public BatchedMotion {
 public:
  Status Close() override { return Status(); }

 protected:
  const char* key_prefix() const override { return "loopback_integer_"; }
  Status OpenDevice(const ExtractorSetup& setup) override;
  Status SubmitDistance(const FramePair& pair, uint32_t slot) override;
  std::span<const uint64_t> Distances(uint32_t first, uint32_t count) const override;
  Status FetchDistances(uint32_t first, uint32_t count) override;

 private:
  BlurHistory history_;
  std::array<uint64_t, kBatch> on_device_{};
  std::array<uint64_t, kBatch> at_home_{};
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_LOOPBACK_H_
