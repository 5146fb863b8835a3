// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/clip/clip_spec.h"

namespace culprit::reference {
namespace {

constexpr auto k420 = PixelFormat::k420;
constexpr auto k422 = PixelFormat::k422;
constexpr auto k444 = PixelFormat::k444;

const std::vector<ClipSpec>& Clips() {
  // name, geometry, frames, gradient, seed, repeats, cut, blur, quantizers, noise. In f176s_8
  // nothing is distorted; j64_1 and k64_2 have one and two frames.
  static const std::vector<ClipSpec> clips = {
      {"a160_8", {160, 90, 8, k420}, 12, false, 1, false, false, {1, 2, 0}, {1, 1, 24}, {6, 0, 12}},
      {"b176_8", {176, 144, 8, k420}, 48, false, 2, false, true, {0, 1, 2, 3}, {1}, {0, 8, 4, 16}},
      {"b176_10",
       {176, 144, 10, k420},
       48,
       false,
       2,
       false,
       true,
       {0, 1, 2, 3},
       {1},
       {0, 8, 4, 16}},
      {"c161_8", {161, 91, 8, k420}, 12, false, 3, false, false, {2, 1}, {1, 16}, {10, 3}},
      {"d256_8", {256, 192, 8, k420}, 8, false, 4, true, false, {1, 0, 3}, {1, 32}, {4, 20, 0}},
      {"d256_10", {256, 192, 10, k420}, 8, false, 4, true, false, {1, 0, 3}, {1, 32}, {4, 20, 0}},
      {"e320_8", {320, 240, 8, k420}, 4, true, 5, false, false, {0}, {32, 16, 8}, {0}},
      {"e320_10", {320, 240, 10, k420}, 4, true, 5, false, false, {0}, {32, 16, 8}, {0}},
      {"f176s_8", {176, 144, 8, k420}, 6, false, 6, false, false, {0}, {1}, {0}},
      {"g176_444", {176, 144, 8, k444}, 4, false, 7, false, false, {1, 2}, {1}, {8}},
      {"h176_422", {176, 144, 10, k422}, 4, false, 8, false, false, {1, 2}, {1}, {8}},
      {"l161_444", {161, 91, 8, k444}, 6, false, 12, false, false, {2, 1}, {1, 16}, {10, 3}},
      {"m98_8", {98, 66, 8, k420}, 6, false, 13, false, false, {1, 2}, {1}, {5, 0}},
      {"n640_8", {640, 360, 8, k420}, 2, false, 14, false, false, {1}, {1, 16}, {6}},
      {"i96_12", {96, 64, 12, k420}, 3, false, 9, false, false, {1}, {1}, {8}},
      {"j64_1", {64, 64, 8, k420}, 1, false, 10, false, false, {1}, {1}, {8}},
      {"k64_2", {64, 64, 8, k420}, 2, false, 11, false, false, {1}, {1}, {8}},
  };
  return clips;
}

}  // namespace

std::span<const ClipSpec> AllClips() { return Clips(); }

const ClipSpec* FindClip(std::string_view name) {
  for (const ClipSpec& clip : Clips()) {
    if (clip.name == name) return &clip;
  }
  return nullptr;
}

}  // namespace culprit::reference
