// SPDX-License-Identifier: Apache-2.0
//
// Structural similarity at one of several scales, and the way to the next: a low-pass filter and every other sample.
#include "reference_impl/kernels/ssim_window.cuh"

namespace {

constexpr int kLowPassTaps = 9;

// The next scale's sample `i` of a line of `n`, in fused steps as the definition has them.
template <typename At>
__device__ float LowPass(int i, int n, At at) {
  const float taps[5] = {0.026727f, -0.016828f, -0.078201f, 0.266846f, 0.602914f};
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kLowPassTaps; ++k) {
    sum = fmaf(taps[k < 5 ? k : kLowPassTaps - 1 - k], at(HalfReflect(2 * i + k - kLowPassTaps / 2, n)), sum);
  }
  return sum;
}

}  // namespace

extern "C" __global__ void ms_ssim_convert_8bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                                int height, float scale) {
  ConvertPlane<unsigned char>(source, pitch, target, width, height, scale, 0);
}

extern "C" __global__ void ms_ssim_convert_16bpc(const unsigned char* source, size_t pitch, float* target, int width,
                                                 int height, float scale) {
  ConvertPlane<unsigned short>(source, pitch, target, width, height, scale, 0);
}

extern "C" __global__ void ms_ssim_shrink_columns(const float* source, float* target, int width, int height,
                                                  int target_height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= target_height) return;
  target[static_cast<size_t>(y) * width + x] =
      LowPass(y, height, [&](int row) { return source[static_cast<size_t>(row) * width + x]; });
}

extern "C" __global__ void ms_ssim_shrink_rows(const float* source, float* target, int width, int target_width,
                                               int target_height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= target_width || y >= target_height) return;
  const float* row = source + static_cast<size_t>(y) * width;
  target[static_cast<size_t>(y) * target_width + x] = LowPass(x, width, [&](int column) { return row[column]; });
}

extern "C" __global__ void ms_ssim_rows(const float* reference, const float* distorted, WindowMoments* moments,
                                        int width, int height) {
  StoreWindowRows(reference, distorted, moments, width, height);
}

// Partial sums, `blocks` apart: luminance, contrast, structure.
extern "C" __global__ void ms_ssim_columns(const WindowMoments* moments, double* partials, int inner_width,
                                           int inner_height, int blocks) {
  const int x = PixelX();
  const int y = PixelY();
  Similarity at{0, 0, 0};
  if (x < inner_width && y < inner_height) at = SimilarityAt(moments, inner_width, x, y);
  BlockStore(at.luminance, partials);
  BlockStore(at.contrast, partials + blocks);
  BlockStore(at.structure, partials + 2 * blocks);
}
