// SPDX-License-Identifier: Apache-2.0
//
// Structural similarity on fractions, at one scale.
#include "reference_impl/kernels/ssim_window.cuh"

namespace {

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

extern "C" __global__ void ssim_rows(const float* reference, const float* distorted, WindowMoments* moments, int width,
                                     int height) {
  StoreWindowRows(reference, distorted, moments, width, height);
}

// Partial sums, `blocks` apart: similarity, luminance, contrast, structure.
extern "C" __global__ void ssim_columns(const WindowMoments* moments, double* partials, int inner_width,
                                        int inner_height, int blocks) {
  const int x = PixelX();
  const int y = PixelY();
  Similarity at{0, 0, 0};
  if (x < inner_width && y < inner_height) at = SimilarityAt(moments, inner_width, x, y);
  BlockStore(at.luminance * at.contrast * at.structure, partials);
  BlockStore(at.luminance, partials + blocks);
  BlockStore(at.contrast, partials + 2 * blocks);
  BlockStore(at.structure, partials + 3 * blocks);
}
