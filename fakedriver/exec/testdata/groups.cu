// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: grid synchronisation, partitions, shuffles and reductions; half precision; asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;
#pragma nv_diag_suppress 20054  // the barrier is initialised by init()

// Two phases with the whole grid between them.
extern "C" __global__ void grid_phases(int* data, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  if (i < n) data[i] = i * 2;
  grid.sync();
  int other = i < n ? data[n - 1 - i] : 0;
  grid.sync();
  if (i < n) data[i] = other + 1;
}

extern "C" __global__ void tiles(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  cg::coalesced_group odd_or_even = cg::coalesced_threads();
  if (threadIdx.x % 3 == 0) {
    cg::coalesced_group third = cg::coalesced_threads();
    sum += 1000 * third.size();
  }
  out[threadIdx.x] = sum + odd_or_even.size();
}

extern "C" __global__ void halves(const __half2* a, const __half2* b, __half2* out) {
  int i = threadIdx.x;
  out[i] = __hfma2(a[i], b[i], __hadd2(a[i], __float2half2_rn(0.5f)));
}

// Arrive, do something else, wait.
extern "C" __global__ void split_barrier(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int values[128];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x];
  auto token = barrier.arrive();
  int own = in[threadIdx.x] * 10;
  barrier.wait(std::move(token));
  out[threadIdx.x] = own + values[(threadIdx.x + 64) % 128];
}
