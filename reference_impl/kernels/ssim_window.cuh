// SPDX-License-Identifier: Apache-2.0
//
// The 11-tap Gaussian window of structural similarity on fractions, and what two pictures have in common inside it: rows first,
// at the positions where the window is inside the picture.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_SSIM_WINDOW_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_SSIM_WINDOW_CUH_

#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

constexpr int kWindowTaps = 11;

// From the outer tap to the centre.
__device__ inline float WindowTap(int k) {
  const float taps[6] = {0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f};
  return taps[k < 6 ? k : kWindowTaps - 1 - k];
}

struct WindowMoments {
  float mu_x, mu_y, xx, yy, xy;
};

struct WindowSums {
  double mu_x = 0, mu_y = 0, xx = 0, yy = 0, xy = 0;

  __device__ WindowMoments Stored() const {
    return {static_cast<float>(mu_x), static_cast<float>(mu_y), static_cast<float>(xx), static_cast<float>(yy),
            static_cast<float>(xy)};
  }
};

__device__ inline void StoreWindowRows(const float* reference, const float* distorted, WindowMoments* moments, int width,
                                       int height) {
  const int inner_width = width - kWindowTaps + 1;
  const int x = PixelX();
  const int y = PixelY();
  if (x >= inner_width || y >= height) return;
  WindowSums sums;
  for (int k = 0; k < kWindowTaps; ++k) {
    const size_t i = static_cast<size_t>(y) * width + x + k;
    const double tap = WindowTap(k);
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

struct Similarity {
  double luminance, contrast, structure;
};

__device__ inline Similarity SimilarityAt(const WindowMoments* moments, int inner_width, int x, int y) {
  WindowSums sums;
  for (int k = 0; k < kWindowTaps; ++k) {
    const WindowMoments& row = moments[static_cast<size_t>(y + k) * inner_width + x];
    const double tap = WindowTap(k);
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
  return {(2 * sums.mu_x * sums.mu_y + kC1) / (mu_xx + mu_yy + kC1),
          (2 * deviation + kC2) / (variance_x + variance_y + kC2), (covariance + kC3) / (deviation + kC3)};
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_SSIM_WINDOW_CUH_
