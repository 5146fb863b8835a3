// SPDX-License-Identifier: Apache-2.0
//
// Consecutive numbers from `first` on: the smallest work whose result shows that it ran.
extern "C" __global__ void fill(unsigned* target, unsigned first, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) target[i] = first + static_cast<unsigned>(i);
}
