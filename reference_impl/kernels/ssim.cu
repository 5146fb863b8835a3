// SPDX-License-Identifier: Apache-2.0
//
// Structural similarity on fractions: both pictures, their squares and their product under an 11-tap Gaussian, rows first, at
// the positions where the window is inside the picture.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kTaps = 11;

// From the outer tap to the centre.
__device__ float Tap(int k) {
  const float taps[6] = {0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f};
  return taps[k < 6 ? k : kTaps - 1 - k];
}

struct Moments {
  float mu_x, mu_y, xx, yy, xy;
};

struct Sums {
  double mu_x = 0, mu_y = 0, xx = 0, yy = 0, xy = 0;

  __device__ Moments Stored() const {
    return {static_cast<float>(mu_x), static_cast<float>(mu_y), static_cast<float>(xx), static_cast<float>(yy),
            static_cast<float>(xy)};
  }
};

// Means of `factor` x `factor` samples; factor 1 only converts.
template <typename Sample>
__device__ void Shrink(const unsigned char* source, size_t pitch, float* target, int width, int height,
                       int target_width, int target_height, int factor, float scale) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= target_width || y >= target_height) return;
  float sum = 0;
  for (int dy = -(factor / 2); dy < factor - factor / 2; ++dy) {
    for (int dx = -(factor / 2); dx < factor - factor / 2; ++dx) {
      sum += FloatSampleAt<Sample>(source, pitch, HalfReflect(x * factor + dx, width),
                                   HalfReflect(y * factor + dy, height), scale);
    }
  }
  target[static_cast<size_t>(y) * target_width + x] = sum / static_cast<float>(factor * factor);
}

}  // namespace

extern "C" __global__ void ssim_shrink_8bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                            int height, int target_width, int target_height, int factor, float scale) {
  Shrink<unsigned char>(source, pitch, target, width, height, target_width, target_height, factor, scale);
}

extern "C" __global__ void ssim_shrink_16bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                             int height, int target_width, int target_height, int factor, float scale) {
  Shrink<unsigned short>(source, pitch, target, width, height, target_width, target_height, factor, scale);
}

extern "C" __global__ void ssim_rows(const float* reference, const float* distorted, Moments* moments, int width,
                                     int height) {
  const int inner_width = width - kTaps + 1;
  const int x = PixelX();
  const int y = PixelY();
  if (x >= inner_width || y >= height) return;
  Sums sums;
  for (int k = 0; k < kTaps; ++k) {
    const size_t i = static_cast<size_t>(y) * width + x + k;
    const double tap = Tap(k);
    const float r = reference[i];
    const float d = distorted[i];
    sums.mu_x += tap * r;
    sums.mu_y += tap * d;
    sums.xx += tap * (r * r);
    sums.yy += tap * (d * d);
    sums.xy += tap * (r * d);
  }
  moments[static_cast<size_t>(y) * inner_width + x] = sums.Stored();
}

// Partial sums, `blocks` apart: similarity, luminance, contrast, structure.
extern "C" __global__ void ssim_columns(const Moments* moments, double* partials, int inner_width, int inner_height,
                                        int blocks) {
  const int x = PixelX();
  const int y = PixelY();
  double similarity = 0;
  double luminance = 0;
  double contrast = 0;
  double structure = 0;
  if (x < inner_width && y < inner_height) {
    Sums sums;
    for (int k = 0; k < kTaps; ++k) {
      const Moments& row = moments[static_cast<size_t>(y + k) * inner_width + x];
      const double tap = Tap(k);
      sums.mu_x += tap * row.mu_x;
      sums.mu_y += tap * row.mu_y;
      sums.xx += tap * row.xx;
      sums.yy += tap * row.yy;
      sums.xy += tap * row.xy;
    }
    constexpr double kC1 = 6.5025;
    constexpr double kC2 = 58.5225;
    constexpr double kC3 = kC2 / 2;
    const double mu_xx = sums.mu_x * sums.mu_x;
    const double mu_yy = sums.mu_y * sums.mu_y;
    const double variance_x = fmax(0.0, sums.xx - mu_xx);
    const double variance_y = fmax(0.0, sums.yy - mu_yy);
    const double deviation = sqrt(variance_x * variance_y);
    double covariance = sums.xy - sums.mu_x * sums.mu_y;
    if (covariance < 0 && deviation <= 0) covariance = 0;
    luminance = (2 * sums.mu_x * sums.mu_y + kC1) / (mu_xx + mu_yy + kC1);
    contrast = (2 * deviation + kC2) / (variance_x + variance_y + kC2);
    structure = (covariance + kC3) / (deviation + kC3);
    similarity = luminance * contrast * structure;
  }
  BlockStore(similarity, partials);
  BlockStore(luminance, partials + blocks);
  BlockStore(contrast, partials + 2 * blocks);
  BlockStore(structure, partials + 3 * blocks);
}
