// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_REFERENCE_IMPL_CLIP_CLIP_GENERATOR_H_
#define CULPRIT_REFERENCE_IMPL_CLIP_CLIP_GENERATOR_H_

#include <array>
#include <cstdint>
#include <vector>

#include "reference_impl/clip/clip_spec.h"

namespace culprit::reference {

// One plane in ten-bit units, rows without padding.
struct ClipPlane {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<int32_t> samples;

  int32_t at(uint32_t x, uint32_t y) const { return samples[size_t{y} * width + x]; }
};

using ClipPicture = std::array<ClipPlane, kMaxPlanes>;

ClipPicture MakeReference(const ClipSpec& clip, uint32_t frame);
ClipPicture MakeDistorted(const ClipSpec& clip, const ClipPicture& reference, uint32_t frame);

// The planes one after another at the clip's bit depth, as in a raw YUV file.
std::vector<uint8_t> Pack(const ClipPicture& picture, uint32_t bits);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CLIP_CLIP_GENERATOR_H_
