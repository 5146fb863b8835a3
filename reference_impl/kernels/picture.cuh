// SPDX-License-Identifier: Apache-2.0
//
// Where a thread is in a plane, how indices outside a plane come back into it, and samples as the extractors on fractions see
// them.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_PICTURE_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_PICTURE_CUH_

__device__ inline int PixelX() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline int PixelY() { return blockIdx.y * blockDim.y + threadIdx.y; }

// Whole-sample mirror: -1 is 1, n is n - 2.
__device__ inline int Reflect(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }
// Half-sample mirror: -1 is 0, n is n - 1.
__device__ inline int HalfReflect(int i, int n) { return i < 0 ? -i - 1 : i >= n ? 2 * n - 1 - i : i; }

template <typename Sample>
__device__ inline unsigned SampleAt(const unsigned char* plane, size_t pitch, int x, int y) {
  return reinterpret_cast<const Sample*>(plane + y * pitch)[x];
}

// In units of eight bits.
template <typename Sample>
__device__ inline float FloatSampleAt(const unsigned char* plane, size_t pitch, int x, int y, float scale) {
  return static_cast<float>(SampleAt<Sample>(plane, pitch, x, y)) / scale;
}

// A plane as fractions without padding; `offset` is what the extractor's definition adds.
template <typename Sample>
__device__ inline void ConvertPlane(const unsigned char* source, size_t pitch, float* target, int width, int height,
                                    float scale, float offset) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  target[static_cast<size_t>(y) * width + x] = FloatSampleAt<Sample>(source, pitch, x, y, scale) + offset;
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_PICTURE_CUH_
