// SPDX-License-Identifier: Apache-2.0
//
// Structural similarity on integer samples under a fixed-point Gaussian that is cut off at the borders of the picture; every
// position counts as much as the window has weight there. All sums up to the similarity itself are integers.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kReach = 4;  // of the window, to either side of its centre

struct Window {
  unsigned taps[2 * kReach + 1];
};

struct Moments {
  unsigned long long weight = 0, mu_x = 0, mu_y = 0, xx = 0, yy = 0, xy = 0;
};

template <typename Sample>
__device__ void Rows(const unsigned char* reference, size_t reference_pitch, const unsigned char* distorted,
                     size_t distorted_pitch, Moments* rows, int width, int height, const Window& window) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  Moments sums;
  for (int column = max(0, x - kReach); column <= min(width - 1, x + kReach); ++column) {
    const unsigned long long tap = window.taps[column - x + kReach];
    const unsigned long long r = SampleAt<Sample>(reference, reference_pitch, column, y);
    const unsigned long long d = SampleAt<Sample>(distorted, distorted_pitch, column, y);
    sums.weight += tap;
    sums.mu_x += tap * r;
    sums.mu_y += tap * d;
    sums.xx += tap * r * r;
    sums.yy += tap * d * d;
    sums.xy += tap * r * d;
  }
  rows[static_cast<size_t>(y) * width + x] = sums;
}

// Times the weight.
__device__ double SimilarityOf(const Moments& sums, double peak) {
  constexpr double kK1 = 0.01;
  constexpr double kK2 = 0.03;
  const double weight = static_cast<double>(sums.weight);
  const double c1 = peak * peak * kK1 * kK1 * weight * weight;
  const double c2 = peak * peak * kK2 * kK2 * weight * weight;
  const double mu_x = static_cast<double>(sums.mu_x);
  const double mu_y = static_cast<double>(sums.mu_y);
  const double variance_x = static_cast<double>(sums.xx) * weight - mu_x * mu_x;
  const double variance_y = static_cast<double>(sums.yy) * weight - mu_y * mu_y;
  const double covariance = static_cast<double>(sums.xy) * weight - mu_x * mu_y;
  return weight * (2 * mu_x * mu_y + c1) * (2 * covariance + c2) /
         ((mu_x * mu_x + mu_y * mu_y + c1) * (variance_x + variance_y + c2));
}

}  // namespace

extern "C" __global__ void integer_ssim_rows_8bpc(const unsigned char* reference, size_t reference_pitch,
                                                  const unsigned char* distorted, size_t distorted_pitch, Moments* rows,
                                                  int width, int height, Window window) {
  Rows<unsigned char>(reference, reference_pitch, distorted, distorted_pitch, rows, width, height, window);
}

extern "C" __global__ void integer_ssim_rows_16bpc(const unsigned char* reference, size_t reference_pitch,
                                                   const unsigned char* distorted, size_t distorted_pitch,
                                                   Moments* rows, int width, int height, Window window) {
  Rows<unsigned short>(reference, reference_pitch, distorted, distorted_pitch, rows, width, height, window);
}

// Partial sums, `blocks` apart: weighted similarities, weights.
extern "C" __global__ void integer_ssim_columns(const Moments* rows, double* partials, int width, int height, int blocks,
                                                double peak, Window window) {
  const int x = PixelX();
  const int y = PixelY();
  double similarity = 0;
  double weight = 0;
  if (x < width && y < height) {
    Moments sums;
    for (int row = max(0, y - kReach); row <= min(height - 1, y + kReach); ++row) {
      const unsigned long long tap = window.taps[row - y + kReach];
      const Moments& of_row = rows[static_cast<size_t>(row) * width + x];
      sums.weight += tap * of_row.weight;
      sums.mu_x += tap * of_row.mu_x;
      sums.mu_y += tap * of_row.mu_y;
      sums.xx += tap * of_row.xx;
      sums.yy += tap * of_row.yy;
      sums.xy += tap * of_row.xy;
    }
    similarity = SimilarityOf(sums, peak);
    weight = static_cast<double>(sums.weight);
  }
  BlockStore(similarity, partials);
  BlockStore(weight, partials + blocks);
}
