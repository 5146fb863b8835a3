// SPDX-License-Identifier: Apache-2.0
//
// Planes of the six scales: linear RGB from limited-range BT.709 samples, halves of it, and the opponent colours in which it is
// compared. Three planes of a picture lie one after the other.
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kTableLast = 1023;  // of the table from encoded to linear light

struct Planes {
  const unsigned char* plane[3];
  unsigned long long pitch[3];
};

// Encoded light of 0 to 1.
__device__ float Linear(float encoded, const float* table) {
  const float place = fminf(fmaxf(encoded, 0.0f), 1.0f) * kTableLast;
  const int entry = min(static_cast<int>(place), kTableLast - 1);
  const float part = place - static_cast<float>(entry);
  return table[entry] + part * (table[entry + 1] - table[entry]);
}

template <typename Sample>
__device__ float Level(const Planes& picture, int plane, int x, int y, float peak) {
  return static_cast<float>(SampleAt<Sample>(picture.plane[plane], picture.pitch[plane], x, y)) / peak;
}

// Chroma is repeated to the size of luma.
template <typename Sample>
__device__ void ToLinear(const Planes& picture, const float* table, float* target, int width, int height, int chroma_width,
                         int chroma_height, float peak) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  constexpr float kRed = 0.2126f;
  constexpr float kGreen = 0.7152f;
  constexpr float kBlue = 0.0722f;
  const int chroma_x = x * chroma_width / width;
  const int chroma_y = y * chroma_height / height;
  const float luma = (Level<Sample>(picture, 0, x, y, peak) - 16.0f / 255.0f) * (255.0f / 219.0f);
  const float u = (Level<Sample>(picture, 1, chroma_x, chroma_y, peak) - 0.5f) * (255.0f / 224.0f);
  const float v = (Level<Sample>(picture, 2, chroma_x, chroma_y, peak) - 0.5f) * (255.0f / 224.0f);
  const float red = luma + 2 * (1 - kRed) * v;
  const float green = luma - 2 * kBlue * (1 - kBlue) / kGreen * u - 2 * kRed * (1 - kRed) / kGreen * v;
  const float blue = luma + 2 * (1 - kBlue) * u;
  const size_t samples = static_cast<size_t>(width) * height;
  float* at = target + static_cast<size_t>(y) * width + x;
  at[0] = Linear(red, table);
  at[samples] = Linear(green, table);
  at[2 * samples] = Linear(blue, table);
}

// From a guess by the exponent, two steps of Newton's method.
__device__ float CubeRoot(float value) {
  float root = __uint_as_float(__float_as_uint(value) / 3 + 0x2a5137a0u);
  for (int step = 0; step < 2; ++step) root = (2.0f * root + value / (root * root)) / 3.0f;
  return root;
}

}  // namespace

extern "C" __global__ void ssimulacra2_linear_8bpc(Planes picture, const float* table, float* target, int width, int height,
                                                   int chroma_width, int chroma_height, float peak) {
  ToLinear<unsigned char>(picture, table, target, width, height, chroma_width, chroma_height, peak);
}

extern "C" __global__ void ssimulacra2_linear_16bpc(Planes picture, const float* table, float* target, int width, int height,
                                                    int chroma_width, int chroma_height, float peak) {
  ToLinear<unsigned short>(picture, table, target, width, height, chroma_width, chroma_height, peak);
}

// Means of 2 x 2 samples; the last row and column are repeated where one is missing.
extern "C" __global__ void ssimulacra2_halve(const float* source, float* target, int width, int height, int target_width,
                                             int target_height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= target_width || y >= target_height) return;
  const int right = min(2 * x + 1, width - 1);
  const size_t above = static_cast<size_t>(2 * y) * width;
  const size_t below = static_cast<size_t>(min(2 * y + 1, height - 1)) * width;
  for (int plane = 0; plane < 3; ++plane) {
    const float* from = source + static_cast<size_t>(plane) * width * height;
    const float sum = from[above + 2 * x] + from[above + right] + from[below + 2 * x] + from[below + right];
    target[static_cast<size_t>(plane) * target_width * target_height + static_cast<size_t>(y) * target_width + x] = sum * 0.25f;
  }
}

extern "C" __global__ void ssimulacra2_opponent(const float* linear, float* target, int width, int height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  constexpr float kBias = 0.0037930732552754493f;
  constexpr float kBiasRoot = 0.15595420054924863f;
  const size_t samples = static_cast<size_t>(width) * height;
  const size_t i = static_cast<size_t>(y) * width + x;
  const float red = linear[i];
  const float green = linear[i + samples];
  const float blue = linear[i + 2 * samples];
  const float long_cone = 0.30f * red + (1.0f - 0.30f - 0.078f) * green + 0.078f * blue + kBias;
  const float middle_cone = 0.23f * red + (1.0f - 0.23f - 0.078f) * green + 0.078f * blue + kBias;
  const float short_cone = 0.24342268924547819f * red + 0.20476744424496821f * green +
                           (1.0f - 0.24342268924547819f - 0.20476744424496821f) * blue + kBias;
  const float l = CubeRoot(fmaxf(long_cone, 0.0f)) - kBiasRoot;
  const float m = CubeRoot(fmaxf(middle_cone, 0.0f)) - kBiasRoot;
  const float s = CubeRoot(fmaxf(short_cone, 0.0f)) - kBiasRoot;
  const float mean = 0.5f * (l + m);
  target[i] = 0.5f * (l - m) * 14.0f + 0.42f;
  target[i + samples] = mean + 0.01f;
  target[i + 2 * samples] = s - mean + 0.55f;
}
