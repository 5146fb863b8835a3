// SPDX-License-Identifier: Apache-2.0
//
// The test clips: small synthetic videos, each a reference and a distorted version, made from
// integer arithmetic alone so that every machine makes the same bytes. Scores of correct extractors
// for them are in reference_impl/golden.
#ifndef CULPRIT_REFERENCE_IMPL_CLIP_CLIP_SPEC_H_
#define CULPRIT_REFERENCE_IMPL_CLIP_CLIP_SPEC_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference_impl/framework/frame.h"

namespace culprit::reference {

struct ClipSpec {
  std::string_view name;  // "b176_8"
  Geometry geometry;
  uint32_t frames;
  bool gradient;  // a smooth ramp instead of texture with a moving square
  uint32_t seed;
  bool repeats;                       // luma changes every third frame only
  bool cut;                           // another scene from the middle on
  std::vector<uint32_t> blur_passes;  // of the distorted clip; frame t uses element t mod size
  std::vector<uint32_t> quantizers;
  std::vector<uint32_t> noise;  // amplitudes
};

std::span<const ClipSpec> AllClips();
// Null if there is none.
const ClipSpec* FindClip(std::string_view name);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CLIP_CLIP_SPEC_H_
