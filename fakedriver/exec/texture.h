// SPDX-License-Identifier: Apache-2.0
//
// What a texture or surface handle stands for. The driver fills it from its array, mipmap or linear
// descriptors.
#ifndef FAKEDRIVER_EXEC_TEXTURE_H_
#define FAKEDRIVER_EXEC_TEXTURE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace culprit::exec {

enum class TexelType : uint8_t { kUnsigned, kSigned, kFloat };
enum class AddressMode : uint8_t { kWrap, kClamp, kMirror, kBorder };

struct Texture {
  std::byte* texels = nullptr;  // host memory, kept until the launch returns
  uint32_t width = 0;           // in texels
  uint32_t height = 0;          // 0: one-dimensional
  uint32_t depth = 0;           // 0: at most two-dimensional; layers of a layered texture
  uint64_t row_pitch = 0;       // bytes
  uint64_t slice_pitch = 0;     // bytes
  TexelType type = TexelType::kUnsigned;
  uint8_t bits = 8;      // of one channel: 8, 16, 32
  uint8_t channels = 1;  // 1, 2, 4
  bool layered = false;
  bool normalized_coordinates = false;
  bool read_as_integer = false;  // else 8 and 16 bit integers become floats in [0, 1] or [-1, 1]
  bool linear_filter = false;
  bool srgb = false;
  std::array<AddressMode, 3> address{AddressMode::kClamp, AddressMode::kClamp, AddressMode::kClamp};
  std::array<float, 4> border{};
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_TEXTURE_H_
