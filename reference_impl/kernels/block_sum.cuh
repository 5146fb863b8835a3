// SPDX-License-Identifier: Apache-2.0
//
// Sums over a block of 256 threads. Integers are added to one total in global memory: integer addition is associative, so the
// order in which blocks arrive cannot change a bit. Fractions are not: each block stores its own sum, made in a fixed order, and
// the host adds the blocks up in theirs. No kernel of this project uses a floating-point atomic.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_BLOCK_SUM_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_BLOCK_SUM_CUH_

// The block's sum, on its first thread. Every thread calls it, those outside the picture with 0.
template <typename Value>
__device__ Value BlockTotal(Value sum) {
  constexpr unsigned kAllLanes = 0xffffffffu;
  constexpr int kWarps = 8;
  __shared__ Value of_warp[kWarps];
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(kAllLanes, sum, offset);
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  __syncthreads();  // an earlier total has been read
  if ((thread & 31) == 0) of_warp[thread >> 5] = sum;
  __syncthreads();
  if (thread != 0) return Value();
  for (int warp = 1; warp < kWarps; ++warp) sum += of_warp[warp];
  return sum;
}

__device__ inline bool FirstOfBlock() { return threadIdx.x == 0 && threadIdx.y == 0; }

__device__ inline void BlockAdd(unsigned long long value, unsigned long long* total) {
  const unsigned long long sum = BlockTotal(value);
  if (FirstOfBlock()) atomicAdd(total, sum);
}

// `partials` has an element for every block of the grid.
__device__ inline void BlockStore(double value, double* partials) {
  const double sum = BlockTotal(value);
  if (FirstOfBlock()) partials[blockIdx.y * gridDim.x + blockIdx.x] = sum;
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_BLOCK_SUM_CUH_
