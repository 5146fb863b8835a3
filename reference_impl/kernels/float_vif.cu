// SPDX-License-Identifier: Apache-2.0
//
// Visual information fidelity in binary32, one scale a launch: both pictures, their squares and their product under a Gaussian,
// columns first, then the information of each position. Pictures are without padding and centred on 0.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/elementary.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kLongestFilter = 17;
constexpr float kEpsilon = 1e-10f;
constexpr float kNoise = 2;  // variance of the visual noise

struct Filter {
  int length;
  float taps[kLongestFilter];
};

// Of a position: means, squares and the product.
struct Moments {
  float mu_r, mu_d, rr, dd, rd;

  __device__ void Add(float tap, const Moments& other) {
    mu_r += tap * other.mu_r;
    mu_d += tap * other.mu_d;
    rr += tap * other.rr;
    dd += tap * other.dd;
    rd += tap * other.rd;
  }
};

struct Information {
  double of_distorted, of_reference;
};

// What both channels carry of the reference.
__device__ Information InformationAt(const Moments& moments, float gain_limit) {
  const float variance_r = fmaxf(moments.rr - moments.mu_r * moments.mu_r, 0.0f);
  const float variance_d = fmaxf(moments.dd - moments.mu_d * moments.mu_d, 0.0f);
  const float covariance = moments.rd - moments.mu_r * moments.mu_d;
  if (variance_r < kNoise) return {1.0 - variance_d * 4.0 / (255.0 * 255.0), 1.0};
  float gain = covariance / (variance_r + kEpsilon);
  float rest = variance_d - gain * covariance;
  if (variance_d < kEpsilon) gain = rest = 0;
  if (gain < 0) {
    rest = variance_d;
    gain = 0;
  }
  rest = fmaxf(rest, kEpsilon);
  gain = fminf(gain, gain_limit);
  const double of_reference = Log2(1.0 + variance_r / kNoise);
  if (covariance < 0) return {0.0, of_reference};
  return {Log2(1.0 + gain * gain * variance_r / (rest + kNoise)), of_reference};
}

}  // namespace

extern "C" __global__ void float_vif_convert_8bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                                  int height, float scale) {
  ConvertPlane<unsigned char>(source, pitch, target, width, height, scale, -128);
}

extern "C" __global__ void float_vif_convert_16bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                                   int height, float scale) {
  ConvertPlane<unsigned short>(source, pitch, target, width, height, scale, -128);
}

extern "C" __global__ void float_vif_columns(const float* reference, const float* distorted, Moments* columns, int width,
                                             int height, Filter filter) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  Moments sums{};
  for (int k = 0; k < filter.length; ++k) {
    const size_t i = static_cast<size_t>(Reflect(y + k - filter.length / 2, height)) * width + x;
    const float r = reference[i];
    const float d = distorted[i];
    sums.Add(filter.taps[k], {r, d, r * r, d * d, r * d});
  }
  columns[static_cast<size_t>(y) * width + x] = sums;
}

// Partial sums, `blocks` apart: what the distorted picture and what the reference tells.
extern "C" __global__ void float_vif_rows(const Moments* columns, double* partials, int width, int height, int blocks,
                                          Filter filter, float gain_limit) {
  const int x = PixelX();
  const int y = PixelY();
  Information information{0, 0};
  if (x < width && y < height) {
    Moments sums{};
    for (int k = 0; k < filter.length; ++k) {
      sums.Add(filter.taps[k], columns[static_cast<size_t>(y) * width + Reflect(x + k - filter.length / 2, width)]);
    }
    information = InformationAt(sums, gain_limit);
  }
  BlockStore(information.of_distorted, partials);
  BlockStore(information.of_reference, partials + blocks);
}

// The next scale: filtered columns of the even rows.
extern "C" __global__ void float_vif_shrink_columns(const float* source, float* target, int width, int height,
                                                    int target_height, Filter filter) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= target_height) return;
  float sum = 0;
  for (int k = 0; k < filter.length; ++k) {
    sum += filter.taps[k] * source[static_cast<size_t>(Reflect(2 * y + k - filter.length / 2, height)) * width + x];
  }
  target[static_cast<size_t>(y) * width + x] = sum;
}

// And filtered rows, at the even columns.
extern "C" __global__ void float_vif_shrink_rows(const float* source, float* target, int width, int target_width,
                                                 int target_height, Filter filter) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= target_width || y >= target_height) return;
  float sum = 0;
  for (int k = 0; k < filter.length; ++k) {
    sum += filter.taps[k] * source[static_cast<size_t>(y) * width + Reflect(2 * x + k - filter.length / 2, width)];
  }
  target[static_cast<size_t>(y) * target_width + x] = sum;
}
