// SPDX-License-Identifier: Apache-2.0
//
// Additive impairment and detail loss in binary32: one level of the db2 wavelet transform, the split of the distorted bands
// into what the reference explains and the rest, and sums of cubes over the inner window, one block a row.
#include "reference_impl/kernels/adm_bands.cuh"
#include "reference_impl/kernels/adm_borders.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

// Element by element, of the horizontal, vertical and diagonal band.
struct Sensitivity {
  float band[3];
};

struct Pair {
  float low, high;
};

// Output sample i is made from inputs 2i - 1 to 2i + 2.
template <typename At>
__device__ Pair Transform(int first, int n, At at) {
  const float low[4] = {0.482962913144690f, 0.836516303737469f, 0.224143868041857f, -0.129409522550921f};
  const float high[4] = {-0.129409522550921f, -0.224143868041857f, 0.836516303737469f, -0.482962913144690f};
  Pair sums{0, 0};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float sample = at(WaveletMirror(first + k, n));
    sums.low += low[k] * sample;
    sums.high += high[k] * sample;
  }
  return sums;
}

// One block a row of the window; stores the sum of `of(x, y)` over it.
template <typename Of>
__device__ void StoreRow(const Window& window, double* rows, Of of) {
  const int y = window.top + blockIdx.x;
  double sum = 0;
  for (int x = window.left + threadIdx.x; x < window.right; x += blockDim.x) sum += of(x, y);
  sum = BlockTotal(sum);
  if (FirstOfBlock()) rows[blockIdx.y * gridDim.x + blockIdx.x] = sum;
}

__device__ float Cube(float value) { return value * value * value; }

}  // namespace

extern "C" __global__ void float_adm_convert_8bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                                  int height, float scale) {
  ConvertPlane<unsigned char>(source, pitch, target, width, height, scale, -128);
}

extern "C" __global__ void float_adm_convert_16bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                                   int height, float scale) {
  ConvertPlane<unsigned short>(source, pitch, target, width, height, scale, -128);
}

extern "C" __global__ void float_adm_columns(const float* source, float* low, float* high, int width, int height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= (height + 1) / 2) return;
  const Pair sums =
      Transform(2 * y - 1, height, [&](int row) { return source[static_cast<size_t>(row) * width + x]; });
  const size_t i = static_cast<size_t>(y) * width + x;
  low[i] = sums.low;
  high[i] = sums.high;
}

// The bands of a level: approximation and details.
extern "C" __global__ void float_adm_rows(const float* low, const float* high, float* approximation, Bands<float> details,
                                          int width, int band_height) {
  const int band_width = (width + 1) / 2;
  const int x = PixelX();
  const int y = PixelY();
  if (x >= band_width || y >= band_height) return;
  const size_t row = static_cast<size_t>(y) * width;
  const Pair of_low = Transform(2 * x - 1, width, [&](int column) { return low[row + column]; });
  const Pair of_high = Transform(2 * x - 1, width, [&](int column) { return high[row + column]; });
  const size_t i = static_cast<size_t>(y) * band_width + x;
  approximation[i] = of_low.low;
  details.band[0][i] = of_high.low;
  details.band[1][i] = of_low.high;
  details.band[2][i] = of_high.high;
}

// `limit` bounds an enhancement where the direction of the detail is kept, `cosine` squared tells how well.
extern "C" __global__ void float_adm_decouple(Bands<const float> original, Bands<const float> distorted,
                                              Bands<float> restored, Bands<float> additive, int width, int height,
                                              float limit, float cosine) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const size_t i = static_cast<size_t>(y) * width + x;
  const float oh = original.band[0][i];
  const float ov = original.band[1][i];
  const float th = distorted.band[0][i];
  const float tv = distorted.band[1][i];
  const float product = oh * th + ov * tv;
  const bool same_direction =
      product >= 0 && product * product >= cosine * (oh * oh + ov * ov) * (th * th + tv * tv);
#pragma unroll
  for (int band = 0; band < 3; ++band) {
    const float o = original.band[band][i];
    const float t = distorted.band[band][i];
    float r = fminf(fmaxf(t / (o + 1e-30f), 0.0f), 1.0f) * o;
    if (same_direction && r > 0) r = fminf(r * limit, t);
    if (same_direction && r < 0) r = fmaxf(r * limit, t);
    restored.band[band][i] = r;
    additive.band[band][i] = t - r;
  }
}

// Rows of a band after rows of the band before.
extern "C" __global__ void float_adm_denominator(Bands<const float> original, Window window, Sensitivity sensitivity,
                                                 double* rows) {
  const int b = blockIdx.y;
  StoreRow(window, rows, [&](int x, int y) {
    return Cube(fabsf(sensitivity.band[b] * original.band[b][static_cast<size_t>(y) * window.width + x]));
  });
}

// What masks: magnitudes of the three bands, weighted and added.
extern "C" __global__ void float_adm_mask(Bands<const float> masking, float* magnitudes, int width, int height,
                                          Sensitivity sensitivity) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const size_t i = static_cast<size_t>(y) * width + x;
  float sum = 0;
#pragma unroll
  for (int band = 0; band < 3; ++band) sum += fabsf(sensitivity.band[band] * masking.band[band][i]);
  magnitudes[i] = sum;
}

// Detail counts as far as it exceeds a thirtieth of each of its eight neighbours' masks and a fifteenth of its own.
extern "C" __global__ void float_adm_masked_sum(Bands<const float> detail, const float* magnitudes, Window window,
                                                int height, Sensitivity sensitivity, double* rows) {
  const int b = blockIdx.y;
  StoreRow(window, rows, [&](int x, int y) {
    float neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      const size_t row = static_cast<size_t>(NeighbourMirror(y + dy, height)) * window.width;
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx != 0 || dy != 0) neighbours += magnitudes[row + NeighbourMirror(x + dx, window.width)];
      }
    }
    const size_t i = static_cast<size_t>(y) * window.width + x;
    const float threshold = neighbours * (1.0f / 30.0f) + magnitudes[i] * (1.0f / 15.0f);
    return Cube(fmaxf(0.0f, fabsf(sensitivity.band[b] * detail.band[b][i]) - threshold));
  });
}
