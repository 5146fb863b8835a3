// SPDX-License-Identifier: Apache-2.0
//
// Sums over a block of 16 x 16 threads, added to one integer in global memory. Integer addition is
// associative: the order in which warps and blocks arrive cannot change a bit of the result.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_BLOCK_SUM_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_BLOCK_SUM_CUH_

// Every thread of the block calls it, those outside the picture with 0.
template <typename Value>
__device__ void BlockAdd(Value value, unsigned long long* total) {
  constexpr unsigned kAllLanes = 0xffffffffu;
  constexpr int kWarps = 8;
  __shared__ unsigned long long of_warp[kWarps];
  unsigned long long sum = value;
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(kAllLanes, sum, offset);
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if ((thread & 31) == 0) of_warp[thread >> 5] = sum;
  __syncthreads();
  if (thread != 0) return;
  for (int warp = 1; warp < kWarps; ++warp) sum += of_warp[warp];
  atomicAdd(total, sum);
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_BLOCK_SUM_CUH_
