// SPDX-License-Identifier: Apache-2.0
//
// Motion on fractions: a separable blur of the luma, columns first, and absolute differences of two blurred pictures, at full
// size and, on demand, at half size.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

// Five taps; a shorter filter has zeros at its ends.
struct Taps {
  float outer, inner, centre;

  __device__ float Blur(float a, float b, float c, float d, float e) const {
    return outer * a + inner * b + centre * c + inner * d + outer * e;
  }
};

template <typename Sample>
__device__ void BlurColumns(const unsigned char* source, size_t pitch, float* target, int width, int height,
                            float scale, const Taps& taps) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const auto sample = [&](int row) {
    return FloatSampleAt<Sample>(source, pitch, x, Reflect(row, height), scale) - 128.0f;
  };
  target[static_cast<size_t>(y) * width + x] =
      taps.Blur(sample(y - 2), sample(y - 1), sample(y), sample(y + 1), sample(y + 2));
}

// Bilinear, between samples of `picture` at the centre of a sample of the half-size picture.
__device__ float Resampled(const float* picture, int width, int height, float x, float y) {
  const int left = static_cast<int>(floorf(x));
  const int top = static_cast<int>(floorf(y));
  const float fx = x - static_cast<float>(left);
  const float fy = y - static_cast<float>(top);
  const auto at = [&](int column, int row) {
    return picture[static_cast<size_t>(Reflect(row, height)) * width + Reflect(column, width)];
  };
  const float upper = at(left, top) * (1.0f - fx) + at(left + 1, top) * fx;
  const float lower = at(left, top + 1) * (1.0f - fx) + at(left + 1, top + 1) * fx;
  return upper * (1.0f - fy) + lower * fy;
}

}  // namespace

extern "C" __global__ void float_motion_columns_8bpc(const unsigned char* source, size_t pitch, float* target,
                                                     int width, int height, float scale, float outer, float inner,
                                                     float centre) {
  BlurColumns<unsigned char>(source, pitch, target, width, height, scale, {outer, inner, centre});
}

extern "C" __global__ void float_motion_columns_16bpc(const unsigned char* source, size_t pitch, float* target,
                                                      int width, int height, float scale, float outer, float inner,
                                                      float centre) {
  BlurColumns<unsigned short>(source, pitch, target, width, height, scale, {outer, inner, centre});
}

extern "C" __global__ void float_motion_rows_sad(const float* columns, float* blurred, const float* previous,
                                                 double* partials, int width, int height, float outer, float inner,
                                                 float centre) {
  const int x = PixelX();
  const int y = PixelY();
  float difference = 0;
  if (x < width && y < height) {
    const size_t row = static_cast<size_t>(y) * width;
    const auto sample = [&](int column) { return columns[row + Reflect(column, width)]; };
    const Taps taps{outer, inner, centre};
    const float value = taps.Blur(sample(x - 2), sample(x - 1), sample(x), sample(x + 1), sample(x + 2));
    blurred[row + x] = value;
    if (previous != nullptr) difference = fabsf(value - previous[row + x]);
  }
  BlockStore(difference, partials);
}

extern "C" __global__ void float_motion_half_size_sad(const float* current, const float* previous, double* partials,
                                                      int width, int height, int half_width, int half_height) {
  const int x = PixelX();
  const int y = PixelY();
  float difference = 0;
  if (x < half_width && y < half_height) {
    const float sx = (static_cast<float>(x) + 0.5f) * (static_cast<float>(width) / static_cast<float>(half_width)) - 0.5f;
    const float sy = (static_cast<float>(y) + 0.5f) * (static_cast<float>(height) / static_cast<float>(half_height)) - 0.5f;
    difference = fabsf(Resampled(current, width, height, sx, sy) - Resampled(previous, width, height, sx, sy));
  }
  BlockStore(difference, partials);
}
