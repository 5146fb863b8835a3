// SPDX-License-Identifier: Apache-2.0
//
// The picture arithmetic of integer motion on the host, bit for bit what kernels/motion.cu does.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_BLUR_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_BLUR_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "reference_impl/framework/frame.h"

namespace culprit::reference {

using BlurredPicture = std::vector<uint16_t>;

BlurredPicture BlurLuma(const FrameView& frame);
uint64_t SumOfAbsoluteDifferences(const BlurredPicture& a, const BlurredPicture& b);

// The blurred pictures of the last frames.
class BlurHistory {
 public:
  explicit BlurHistory(uint32_t distance = 1) : distance_(distance) {}

  // Blurs `frame` and answers its distance from the picture `distance` frames ago; 0 if there is
  // none.
  uint64_t Add(const FrameView& frame);

 private:
  uint32_t distance_;
  std::deque<BlurredPicture> pictures_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MOTION_MOTION_BLUR_H_
