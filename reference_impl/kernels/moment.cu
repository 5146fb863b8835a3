// SPDX-License-Identifier: Apache-2.0
//
// Sums of the samples and of their squares. Integer sums: a sample of more than eight bits is scaled on the host.
#include "reference_impl/kernels/block_sum.cuh"

namespace {

template <typename Sample>
__device__ void Moments(const unsigned char* source, size_t pitch, int width, int height,
                        unsigned long long* sums) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned long long value = 0;
  if (x < width && y < height) value = reinterpret_cast<const Sample*>(source + y * pitch)[x];
  BlockAdd(value, &sums[0]);
  BlockAdd(value * value, &sums[1]);
}

}  // namespace

extern "C" __global__ void moment_8bpc(const unsigned char* source, size_t pitch, int width, int height,
                                       unsigned long long* sums) {
  Moments<unsigned char>(source, pitch, width, height, sums);
}

extern "C" __global__ void moment_16bpc(const unsigned char* source, size_t pitch, int width, int height,
                                        unsigned long long* sums) {
  Moments<unsigned short>(source, pitch, width, height, sums);
}
