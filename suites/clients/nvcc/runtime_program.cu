// SPDX-License-Identifier: Apache-2.0
//
// The smallest program on the CUDA runtime: where it stops on a driver without the runtime's
// private tables.
#include <cstdio>

__global__ void twice(int* value) { *value *= 2; }

int main() {
  int* value = nullptr;
  const cudaError_t result = cudaMallocManaged(&value, sizeof *value);
  if (result != cudaSuccess) {
    std::printf("cudaMallocManaged: %d\n", result);
    return 1;
  }
  *value = 21;
  twice<<<1, 1>>>(value);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d\n", *value);
  return *value == 42 ? 0 : 1;
}
