// SPDX-License-Identifier: Apache-2.0
//
// What a program on the CUDA runtime commonly does: launches, variables, managed memory, streams, events, errors; printf, heap
// and cooperative groups on the device. The half is in another file, so that it has to be linked.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

namespace {

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %d\n", what, error);
  std::exit(1);
}
#define CHECK(call) Check(call, #call)

void Expect(bool right, const char* what) {
  if (!right) {
    std::printf("wrong: %s\n", what);
    std::exit(1);
  }
}

}  // namespace

#ifdef SEPARATE
extern __device__ int half_of(int value);
#else
__device__ int half_of(int value) { return value / 2; }
#endif

__constant__ float factor;
__device__ int launches;
__managed__ int total = 5;

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
  if (i == 0) ++launches;
}

__global__ void add_halves(const int* values) { atomicAdd(&total, half_of(values[threadIdx.x])); }

__global__ void greet() { printf("hello from thread %u\n", threadIdx.x); }

__global__ void on_heap(int* result) {
  int* own = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int i = 0; i < 8; ++i) own[i] = i + threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += own[i];
  free(own);
  result[threadIdx.x] = sum;
}

__global__ void rotate(int* values) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned rank = grid.thread_rank();
  const int next = values[(rank + 1) % grid.size()];
  grid.sync();
  values[rank] = next;
}

int main() {
  constexpr int kCount = 1000;
  float* values = nullptr;
  float host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  const float three = 3;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  CHECK(cudaMalloc(&values, sizeof host));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMemcpyToSymbol(factor, &three, sizeof three));
  CHECK(cudaMemcpyAsync(values, host, sizeof host, cudaMemcpyHostToDevice, stream));
  CHECK(cudaEventRecord(begin, stream));
  scale<<<(kCount + 127) / 128, 128, 0, stream>>>(values, kCount);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  for (int i = 0; i < kCount; ++i) Expect(host[i] == 3.0f * i, "a scaled value");
  Expect(milliseconds >= 0 && count == 1, "the launches");

  int* numbers = nullptr;
  CHECK(cudaMallocManaged(&numbers, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) numbers[i] = 2 * i;
  add_halves<<<1, 64>>>(numbers);
  CHECK(cudaDeviceSynchronize());
  Expect(total == 5 + 63 * 64 / 2, "the managed variable");
  on_heap<<<1, 64>>>(numbers);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) Expect(numbers[i] == 28 + 8 * i, "a sum on the heap");
  void* arguments[] = {&numbers};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rotate), 2, 32, arguments, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) Expect(numbers[i] == 28 + 8 * ((i + 1) % 64), "a rotated value");

  greet<<<1, 2>>>();
  scale<<<1, 5000>>>(values, kCount);
  Expect(cudaGetLastError() == cudaErrorInvalidConfiguration, "the error of too many threads");
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(values));
  std::printf("all right\n");
  return 0;
}
