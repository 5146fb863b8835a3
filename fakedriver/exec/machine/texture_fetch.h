// SPDX-License-Identifier: Apache-2.0
//
// Reading a texture at a coordinate: addressing modes, filtering, conversion.
#ifndef FAKEDRIVER_EXEC_MACHINE_TEXTURE_FETCH_H_
#define FAKEDRIVER_EXEC_MACHINE_TEXTURE_FETCH_H_

#include <array>
#include <cstdint>

#include "fakedriver/exec/texture.h"

namespace culprit::exec {

struct TextureCoordinates {
  bool integral = false;            // texel numbers, whatever the addressing: x, y, z below
  std::array<float, 3> position{};  // texel units, or [0, 1) for normalised textures
  std::array<int32_t, 3> texel{};
  uint32_t layer = 0;
};

// Four channels: floats as bits, or integers. Channels the texture lacks are 0, the last one is 1.
std::array<uint32_t, 4> FetchTexture(const Texture& texture, const TextureCoordinates& at,
                                     uint32_t dimensions, bool as_float);

// The bytes of a texel, or null outside.
std::byte* TexelAddress(const Texture& texture, int64_t x, int64_t y, int64_t z);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_TEXTURE_FETCH_H_
