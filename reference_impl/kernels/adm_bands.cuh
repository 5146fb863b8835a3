// SPDX-License-Identifier: Apache-2.0
//
// The three detail bands of a level, and sums over the rows of their inner window.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_ADM_BANDS_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_ADM_BANDS_CUH_

#include "reference_impl/kernels/block_sum.cuh"

// Horizontal, vertical, diagonal.
template <typename Value>
struct Bands {
  Value* band[3];
};

// The part of a band that is summed: [left, right) x [top, bottom).
struct Window {
  int width;  // of the band
  int left, right, top, bottom;
};

__device__ inline long long Rounded(long long value, int shift) {
  return shift == 0 ? value : (value + (1ll << (shift - 1))) >> shift;
}

// One block a row of the window: sums `of(x, y)` over the row, rounds the row's sum and adds it to *total.
template <typename Of>
__device__ inline void AddRow(const Window& window, int row_shift, unsigned long long* total, Of of) {
  const int y = window.top + blockIdx.x;
  long long sum = 0;
  for (int x = window.left + threadIdx.x; x < window.right; x += blockDim.x) sum += of(x, y);
  sum = BlockTotal(sum);
  if (FirstOfBlock()) atomicAdd(total, static_cast<unsigned long long>(Rounded(sum, row_shift)));
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_ADM_BANDS_CUH_
