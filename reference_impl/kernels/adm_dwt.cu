// SPDX-License-Identifier: Apache-2.0
//
// One level of the db2 wavelet transform in fixed point: columns first, then rows; even output sample i is made from inputs
// 2i - 1 to 2i + 2, mirrored at the edges.
#include "reference_impl/kernels/adm_borders.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kLowSum = 46342;  // of the low-pass taps; those of the high-pass add up to 0

struct Pair {
  long long low, high;
};

template <typename At>
__device__ Pair Transform(int first, int n, At at) {
  Pair sums{0, 0};
  const int low[4] = {15826, 27411, 7345, -4240};
  const int high[4] = {-4240, -7345, 27411, -15826};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const long long sample = at(WaveletMirror(first + k, n));
    sums.low += low[k] * sample;
    sums.high += high[k] * sample;
  }
  return sums;
}

template <typename Sample>
__device__ void FirstColumns(const unsigned char* source, size_t pitch, int* low, int* high, int width, int height,
                             int bits) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= (height + 1) / 2) return;
  const Pair sums = Transform(2 * y - 1, height,
                              [&](int row) { return static_cast<int>(SampleAt<Sample>(source, pitch, x, row)); });
  const long long half = 1ll << (bits - 1);
  const size_t i = static_cast<size_t>(y) * width + x;
  low[i] = static_cast<int>((sums.low - kLowSum * half + half) >> bits);
  high[i] = static_cast<int>((sums.high + half) >> bits);
}

}  // namespace

extern "C" __global__ void adm_first_columns_8bpc(const unsigned char* source, size_t pitch, int* low, int* high,
                                                  int width, int height, int bits) {
  FirstColumns<unsigned char>(source, pitch, low, high, width, height, bits);
}

extern "C" __global__ void adm_first_columns_16bpc(const unsigned char* source, size_t pitch, int* low, int* high,
                                                   int width, int height, int bits) {
  FirstColumns<unsigned short>(source, pitch, low, high, width, height, bits);
}

extern "C" __global__ void adm_columns(const int* source, int* low, int* high, int width, int height, int rounding,
                                       int shift) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= (height + 1) / 2) return;
  const Pair sums =
      Transform(2 * y - 1, height, [&](int row) { return source[static_cast<size_t>(row) * width + x]; });
  const size_t i = static_cast<size_t>(y) * width + x;
  low[i] = static_cast<int>((sums.low + rounding) >> shift);
  high[i] = static_cast<int>((sums.high + rounding) >> shift);
}

// The bands of a level: approximation, vertical, horizontal, diagonal.
extern "C" __global__ void adm_rows(const int* low, const int* high, int* a, int* v, int* h, int* d, int width,
                                    int band_height, int rounding, int shift) {
  const int band_width = (width + 1) / 2;
  const int x = PixelX();
  const int y = PixelY();
  if (x >= band_width || y >= band_height) return;
  const size_t row = static_cast<size_t>(y) * width;
  const Pair of_low = Transform(2 * x - 1, width, [&](int column) { return low[row + column]; });
  const Pair of_high = Transform(2 * x - 1, width, [&](int column) { return high[row + column]; });
  const size_t i = static_cast<size_t>(y) * band_width + x;
  a[i] = static_cast<int>((of_low.low + rounding) >> shift);
  v[i] = static_cast<int>((of_low.high + rounding) >> shift);
  h[i] = static_cast<int>((of_high.low + rounding) >> shift);
  d[i] = static_cast<int>((of_high.high + rounding) >> shift);
}
