// SPDX-License-Identifier: Apache-2.0
//
// A test clip's frames, made one after another as they are asked for.
#ifndef CULPRIT_REFERENCE_IMPL_CLIP_GENERATED_SOURCE_H_
#define CULPRIT_REFERENCE_IMPL_CLIP_GENERATED_SOURCE_H_

#include <vector>

#include "reference_impl/clip/clip_spec.h"

namespace culprit::reference {

class GeneratedSource {
 public:
  explicit GeneratedSource(const ClipSpec& clip) : clip_(&clip) {}

  // `*end` after the last frame. The views are valid until the next call.
  Status operator()(FrameView* reference, FrameView* distorted, bool* end);

 private:
  const ClipSpec* clip_;
  uint32_t frame_ = 0;
  std::vector<uint8_t> reference_;
  std::vector<uint8_t> distorted_;
};

// The planes of a packed frame.
FrameView ViewOfPacked(const std::vector<uint8_t>& bytes, const Geometry& geometry);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CLIP_GENERATED_SOURCE_H_
