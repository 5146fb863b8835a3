// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/texture_fetch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "fakedriver/exec/machine/half.h"

namespace culprit::exec {
namespace {

using Texel = std::array<float, 4>;

uint32_t Extent(const Texture& texture, size_t axis) {
  uint32_t extent = axis == 0 ? texture.width : axis == 1 ? texture.height : texture.depth;
  return std::max(1u, extent);
}

// The texel that a texel number stands for, or -1 for the border.
int64_t Wrapped(const Texture& texture, size_t axis, int64_t n) {
  const int64_t extent = Extent(texture, axis);
  AddressMode mode = texture.address[axis];
  // Wrapping and mirroring need normalised coordinates; otherwise devices clamp.
  if (!texture.normalized_coordinates &&
      (mode == AddressMode::kWrap || mode == AddressMode::kMirror)) {
    mode = AddressMode::kClamp;
  }
  switch (mode) {
    case AddressMode::kWrap:
      return ((n % extent) + extent) % extent;
    case AddressMode::kMirror: {
      int64_t m = ((n % (2 * extent)) + 2 * extent) % (2 * extent);
      return m < extent ? m : 2 * extent - 1 - m;
    }
    case AddressMode::kClamp:
      return std::clamp<int64_t>(n, 0, extent - 1);
    case AddressMode::kBorder:
      return n < 0 || n >= extent ? -1 : n;
  }
  return -1;
}

uint32_t RawChannel(const Texture& texture, const std::byte* texel, uint32_t channel) {
  uint32_t raw = 0;
  std::memcpy(&raw, texel + channel * texture.bits / 8, texture.bits / 8);
  if (texture.type == TexelType::kSigned && texture.bits < 32) {
    uint32_t unused = 32 - texture.bits;
    raw = static_cast<uint32_t>(static_cast<int32_t>(raw << unused) >> unused);
  }
  return raw;
}

float FloatChannel(const Texture& texture, uint32_t raw) {
  if (texture.type == TexelType::kFloat) {
    return texture.bits == 16 ? HalfToFloat(static_cast<uint16_t>(raw)) : std::bit_cast<float>(raw);
  }
  const float largest = texture.bits == 8
                            ? (texture.type == TexelType::kSigned ? 127.0f : 255.0f)
                            : (texture.type == TexelType::kSigned ? 32767.0f : 65535.0f);
  if (texture.type == TexelType::kSigned)
    return std::max(-1.0f, static_cast<float>(static_cast<int32_t>(raw)) / largest);
  return static_cast<float>(raw) / largest;
}

const std::byte* Find(const Texture& texture, int64_t x, int64_t y, int64_t z,
                      uint32_t dimensions) {
  x = Wrapped(texture, 0, x);
  y = dimensions > 1 ? Wrapped(texture, 1, y) : 0;
  if (dimensions > 2) z = Wrapped(texture, 2, z);
  return x < 0 || y < 0 || z < 0 ? nullptr : TexelAddress(texture, x, y, z);
}

Texel FloatTexel(const Texture& texture, int64_t x, int64_t y, int64_t z, uint32_t dimensions) {
  const std::byte* texel = Find(texture, x, y, z, dimensions);
  if (texel == nullptr) return texture.border;
  Texel result{0, 0, 0, 1};
  for (uint32_t c = 0; c < texture.channels; ++c)
    result[c] = FloatChannel(texture, RawChannel(texture, texel, c));
  return result;
}

// Weights of linear filtering have 8 bits after the point.
float Weight(float fraction) { return std::floor(fraction * 256.0f + 0.5f) / 256.0f; }

// Calls `take(at, share)` for the texels that a filtered value is made of. Shares add up to 1.
template <typename Take>
void ForEachCorner(const std::array<float, 3>& position, int64_t layer, uint32_t dimensions,
                   Take take) {
  std::array<int64_t, 3> low{};
  std::array<float, 3> weight{};
  for (uint32_t axis = 0; axis < dimensions; ++axis) {
    float shifted = position[axis] - 0.5f;
    float whole = std::floor(shifted);
    low[axis] = static_cast<int64_t>(std::clamp(whole, -1e9f, 1e9f));
    weight[axis] = Weight(shifted - whole);
  }
  for (uint32_t corner = 0; corner < 1u << dimensions; ++corner) {
    float share = 1;
    std::array<int64_t, 3> at{low[0], low[1], dimensions > 2 ? low[2] : layer};
    for (uint32_t axis = 0; axis < dimensions; ++axis) {
      bool upper = (corner >> axis & 1) != 0;
      at[axis] += upper ? 1 : 0;
      share *= upper ? weight[axis] : 1 - weight[axis];
    }
    if (share != 0) take(at, share);
  }
}

Texel FilteredFloats(const Texture& texture, const std::array<float, 3>& position, int64_t layer,
                     uint32_t dimensions) {
  Texel sum{};
  ForEachCorner(position, layer, dimensions, [&](const std::array<int64_t, 3>& at, float share) {
    Texel texel = FloatTexel(texture, at[0], at[1], at[2], dimensions);
    for (size_t c = 0; c < 4; ++c) sum[c] += share * texel[c];
  });
  return sum;
}

// The largest value of a channel of integers of 8 or 16 bits.
double Largest(const Texture& texture) {
  const uint32_t value_bits = texture.bits - (texture.type == TexelType::kSigned ? 1 : 0);
  return static_cast<double>((uint64_t{1} << value_bits) - 1);
}

// What devices make of integers of 8 or 16 bits: the blend rounded to 16 bits, half upwards,
// whatever the texel's size (recorded on an H200 for unsigned channels; assumed for signed ones).
// In steps of 1/65535, or 1/32767 for signed channels.
std::array<double, 4> FilteredSteps(const Texture& texture, const std::array<float, 3>& position,
                                    int64_t layer, uint32_t dimensions) {
  std::array<double, 4> sum{};
  const double largest = Largest(texture);
  const double steps = texture.type == TexelType::kSigned ? 32767.0 : 65535.0;
  ForEachCorner(position, layer, dimensions, [&](const std::array<int64_t, 3>& at, float share) {
    const std::byte* texel = Find(texture, at[0], at[1], at[2], dimensions);
    for (uint32_t c = 0; c < texture.channels; ++c) {
      double level = texture.border[c] * largest;
      if (texel != nullptr) {
        const uint32_t raw = RawChannel(texture, texel, c);
        level = texture.type == TexelType::kSigned
                    ? std::max(-largest, static_cast<double>(static_cast<int32_t>(raw)))
                    : static_cast<double>(raw);
      }
      sum[c] += share * level;
    }
  });
  for (uint32_t c = 0; c < texture.channels; ++c)
    sum[c] = std::floor(sum[c] * (steps / largest) + 0.5);
  return sum;
}

Texel Filtered(const Texture& texture, const std::array<float, 3>& position, int64_t layer,
               uint32_t dimensions) {
  if (texture.type == TexelType::kFloat || texture.bits > 16)
    return FilteredFloats(texture, position, layer, dimensions);
  const float steps = texture.type == TexelType::kSigned ? 32767.0f : 65535.0f;
  const std::array<double, 4> sum = FilteredSteps(texture, position, layer, dimensions);
  Texel result{0, 0, 0, 1};
  for (uint32_t c = 0; c < texture.channels; ++c) result[c] = static_cast<float>(sum[c]) / steps;
  return result;
}

// The same read as integers: rounded once more, to the texel's size.
std::array<uint32_t, 4> FilteredIntegers(const Texture& texture,
                                         const std::array<float, 3>& position, int64_t layer,
                                         uint32_t dimensions) {
  const double steps = texture.type == TexelType::kSigned ? 32767.0 : 65535.0;
  const double largest = Largest(texture);
  const std::array<double, 4> sum = FilteredSteps(texture, position, layer, dimensions);
  std::array<uint32_t, 4> result{0, 0, 0, 1};
  for (uint32_t c = 0; c < texture.channels; ++c) {
    const double level = std::floor(sum[c] * (largest / steps) + 0.5);
    result[c] = static_cast<uint32_t>(static_cast<int32_t>(level));
  }
  return result;
}

}  // namespace

std::byte* TexelAddress(const Texture& texture, int64_t x, int64_t y, int64_t z) {
  if (x < 0 || y < 0 || z < 0 || x >= Extent(texture, 0) || y >= Extent(texture, 1) ||
      z >= Extent(texture, 2)) {
    return nullptr;
  }
  uint64_t texel_bytes = uint64_t{texture.bits} / 8 * texture.channels;
  return texture.texels + static_cast<uint64_t>(z) * texture.slice_pitch +
         static_cast<uint64_t>(y) * texture.row_pitch + static_cast<uint64_t>(x) * texel_bytes;
}

std::array<uint32_t, 4> FetchTexture(const Texture& texture, const TextureCoordinates& at,
                                     uint32_t dimensions, bool as_float) {
  std::array<float, 3> position = at.position;
  std::array<int64_t, 3> texel{};
  const int64_t layer = texture.layered ? std::min<int64_t>(at.layer, Extent(texture, 2) - 1) : 0;
  for (uint32_t axis = 0; axis < dimensions; ++axis) {
    if (at.integral) {
      texel[axis] = at.texel[axis];
      continue;
    }
    if (texture.normalized_coordinates) position[axis] *= static_cast<float>(Extent(texture, axis));
    texel[axis] = std::isnan(position[axis])
                      ? 0
                      : static_cast<int64_t>(std::floor(std::clamp(position[axis], -1e9f, 1e9f)));
  }
  if (dimensions < 3) texel[2] = layer;
  const bool integers = texture.read_as_integer && texture.type != TexelType::kFloat;
  if (as_float && !integers) {
    Texel value = texture.linear_filter && !at.integral
                      ? Filtered(texture, position, layer, dimensions)
                      : FloatTexel(texture, texel[0], texel[1], texel[2], dimensions);
    std::array<uint32_t, 4> bits;
    for (size_t c = 0; c < 4; ++c) bits[c] = std::bit_cast<uint32_t>(value[c]);
    return bits;
  }
  if (integers && texture.linear_filter && !at.integral && texture.bits <= 16)
    return FilteredIntegers(texture, position, layer, dimensions);
  std::array<uint32_t, 4> raw{0, 0, 0, 1};
  const std::byte* found = Find(texture, texel[0], texel[1], texel[2], dimensions);
  for (uint32_t c = 0; c < 4; ++c) {
    if (found == nullptr) {
      raw[c] = std::bit_cast<uint32_t>(texture.border[c]);
    } else if (c < texture.channels) {
      raw[c] = RawChannel(texture, found, c);
    }
  }
  return raw;
}

}  // namespace culprit::exec
