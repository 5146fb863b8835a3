// SPDX-License-Identifier: Apache-2.0
//
// Kernels as a CUDA course would have them; programs.cc launches them and checks what they compute.
#include <cooperative_groups.h>

#include <cassert>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kTile = 16;
constexpr int kScanBlock = 256;

extern "C" __global__ void vector_add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

// One result a block: warps by shuffles, their sums through shared memory.
extern "C" __global__ void reduce_sum(const int* values, int n, long long* sums) {
  __shared__ long long of_warp[32];
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += values[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    long long total = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) total += of_warp[w];
    sums[blockIdx.x] = total;
  }
}

extern "C" __global__ void histogram(const unsigned char* data, int n, unsigned* counts) {
  __shared__ unsigned of_block[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) of_block[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&of_block[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&counts[i], of_block[i]);
}

// Square matrices whose size is a multiple of the tile.
extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* product,
                                           int size) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < size / kTile; ++t) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * size + t * kTile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(t * kTile + threadIdx.y) * size + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum = fmaf(tile_a[threadIdx.y][k], tile_b[k][threadIdx.x], sum);
    __syncthreads();
  }
  product[row * size + column] = sum;
}

// Inclusive sums within each block, and each block's total.
extern "C" __global__ void prefix_sum(const unsigned* values, unsigned* sums, unsigned* totals,
                                      int n) {
  __shared__ unsigned buffer[2][kScanBlock];
  const int i = blockIdx.x * kScanBlock + threadIdx.x;
  int from = 0;
  buffer[0][threadIdx.x] = i < n ? values[i] : 0;
  for (int offset = 1; offset < kScanBlock; offset *= 2) {
    __syncthreads();
    unsigned sum = buffer[from][threadIdx.x];
    if (threadIdx.x >= offset) sum += buffer[from][threadIdx.x - offset];
    from = 1 - from;
    buffer[from][threadIdx.x] = sum;
  }
  if (i < n) sums[i] = buffer[from][threadIdx.x];
  if (threadIdx.x == kScanBlock - 1) totals[blockIdx.x] = buffer[from][threadIdx.x];
}

extern "C" __global__ void mandelbrot(unsigned short* steps, int width, int height, int most) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const double cx = -2.0 + 2.75 * px / width, cy = -1.25 + 2.5 * py / height;
  double x = 0, y = 0;
  int step = 0;
  while (step < most && __dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)) <= 4.0) {
    const double next = __dadd_rn(__dsub_rn(__dmul_rn(x, x), __dmul_rn(y, y)), cx);
    y = __dadd_rn(__dmul_rn(__dmul_rn(2.0, x), y), cy);
    x = next;
    ++step;
  }
  steps[py * width + px] = step;
}

// One step of a bitonic sort: compares elements `distance` apart in runs of `run`.
extern "C" __global__ void bitonic_step(int* values, int distance, int run) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = i ^ distance;
  if (j <= i) return;
  const int a = values[i], b = values[j];
  if ((a > b) == ((i & run) == 0)) {
    values[i] = b;
    values[j] = a;
  }
}

extern "C" __global__ void say_hello(const char* name, double number) {
  if (threadIdx.x % 2 == 1)
    printf("thread %u of block %u says %s, %.3f %5d%%\n", threadIdx.x, blockIdx.x, name, number, 7);
}

extern "C" __global__ void check_below(const int* values, int limit) {
  assert(values[threadIdx.x] < limit);
}

// Each thread keeps a list of its own on the heap, sums it and gives it back.
extern "C" __global__ void list_on_heap(int* sums, int length) {
  struct Node {
    int value;
    Node* next;
  };
  Node* head = nullptr;
  for (int i = 1; i <= length; ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) return;
    node->value = i * (threadIdx.x + 1);
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head != nullptr) {
    Node* next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  sums[threadIdx.x] = sum;
}

// A sum over the whole grid in one launch; tiles of 8 threads reduce among themselves first.
extern "C" __global__ void grid_sum(const int* values, int n, int* partial, int* sum) {
  cg::grid_group grid = cg::this_grid();
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += values[i];
  for (int offset = 4; offset > 0; offset /= 2) mine += tile.shfl_down(mine, offset);
  if (tile.thread_rank() == 0) partial[grid.thread_rank() / 8] = mine;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int total = 0;
    for (int i = 0; i < static_cast<int>(grid.size()) / 8; ++i) total += partial[i];
    *sum = total;
  }
}
