// SPDX-License-Identifier: Apache-2.0
//
// The sum of squared differences of one plane.
#include "reference_impl/kernels/block_sum.cuh"

namespace {

template <typename Sample>
__device__ void SquaredError(const unsigned char* reference, size_t reference_pitch,
                             const unsigned char* distorted, size_t distorted_pitch, int width,
                             int height, unsigned long long* total) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned long long squared = 0;
  if (x < width && y < height) {
    const int r = reinterpret_cast<const Sample*>(reference + y * reference_pitch)[x];
    const int d = reinterpret_cast<const Sample*>(distorted + y * distorted_pitch)[x];
    const long long difference = r - d;
    squared = static_cast<unsigned long long>(difference * difference);
  }
  BlockAdd(squared, total);
}

}  // namespace

extern "C" __global__ void psnr_sse_8bpc(const unsigned char* reference, size_t reference_pitch,
                                         const unsigned char* distorted, size_t distorted_pitch,
                                         int width, int height, unsigned long long* total) {
  SquaredError<unsigned char>(reference, reference_pitch, distorted, distorted_pitch, width, height,
                              total);
}

extern "C" __global__ void psnr_sse_16bpc(const unsigned char* reference, size_t reference_pitch,
                                          const unsigned char* distorted, size_t distorted_pitch,
                                          int width, int height, unsigned long long* total) {
  SquaredError<unsigned short>(reference, reference_pitch, distorted, distorted_pitch, width,
                               height, total);
}
