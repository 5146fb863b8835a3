// SPDX-License-Identifier: Apache-2.0
// Ordinary kernels: what people write first. The .ptx files beside are made from this one; see regenerate.sh.
#include <cstdint>
#include <cstdio>

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void block_sum(const int* in, int* out, int n) {
  __shared__ int partial[256];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void warp_sum(const int64_t* in, unsigned long long* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int64_t value = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(total, (unsigned long long)value);
}

extern "C" __global__ void histogram(const uint8_t* in, unsigned* bins, int n) {
  extern __shared__ unsigned local[];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum = __fmaf_rn(tile_a[threadIdx.y][j], tile_b[j][threadIdx.x], sum);
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// Inclusive, one block.
extern "C" __global__ void prefix_sum(const int* in, int* out, int n) {
  __shared__ int buffer[2][1024];
  int t = threadIdx.x;
  int from = 0;
  buffer[0][t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    buffer[1 - from][t] = buffer[from][t] + (t >= step ? buffer[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (t < n) out[t] = buffer[from][t];
}

// Lanes leave the loop at different times.
extern "C" __global__ void mandelbrot(int* out, int width, int height, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double cr = -2.0 + 3.0 * x / width;
  double ci = -1.5 + 3.0 * y / height;
  double zr = 0;
  double zi = 0;
  int n = 0;
  while (n < limit && zr * zr + zi * zi <= 4.0) {
    double t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++n;
  }
  out[y * width + x] = n;
}

extern "C" __global__ void bitonic_step(uint32_t* data, int j, int k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned other = i ^ j;
  if (other <= i) return;
  uint32_t a = data[i];
  uint32_t b = data[other];
  bool ascending = (i & k) == 0;
  if ((a > b) == ascending) {
    data[i] = b;
    data[other] = a;
  }
}

struct Plane {
  const uint8_t* data;
  uint32_t stride;
  uint16_t width;
  uint16_t height;
};

__constant__ uint16_t kTaps[5] = {3571, 16004, 26386, 16004, 3571};

// Vertical then horizontal blur, differences summed in 64 bits: the shape of a motion extractor.
extern "C" __global__ void blur_difference(Plane now, Plane before, unsigned long long* sad) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  long long difference = 0;
  if (x < now.width && y < now.height) {
    uint32_t sums[2] = {0, 0};
    for (int which = 0; which < 2; ++which) {
      const Plane& plane = which ? before : now;
      for (int i = 0; i < 5; ++i) {
        int row = min(max(y - 2 + i, 0), (int)plane.height - 1);
        uint32_t line = 0;
        for (int j = 0; j < 5; ++j) {
          int column = abs(x - 2 + j);
          if (column >= plane.width) column = 2 * plane.width - column - 1;
          line += kTaps[j] * plane.data[row * plane.stride + column];
        }
        sums[which] += kTaps[i] * ((line + 128) >> 8);
      }
    }
    difference = abs((long long)(sums[0] >> 16) - (long long)(sums[1] >> 16));
  }
  for (int offset = 16; offset > 0; offset /= 2) difference += __shfl_down_sync(0xffffffff, difference, offset);
  if ((threadIdx.x + threadIdx.y * blockDim.x) % 32 == 0) atomicAdd(sad, (unsigned long long)difference);
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ int (*kFunctions[2])(int) = {twice, square};

extern "C" __global__ void indirect(int* out) { out[threadIdx.x] = kFunctions[threadIdx.x % 2](threadIdx.x); }

extern "C" __global__ void print_some(float f) {
  if (threadIdx.x < 2) printf("thread %d of %s: %5.2f %llx\n", threadIdx.x, "block", f, 0x123456789abcull);
}

// Lanes of one warp take a lock in turn: needs independent thread scheduling.
extern "C" __global__ void lock_in_warp(int* lock, int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int*)counter = *(volatile int*)counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// Blocks wait for the one after them.
extern "C" __global__ void chain(volatile int* flags, int* out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x) {
      while (flags[blockIdx.x + 1] == 0) {
      }
    }
    out[blockIdx.x] = blockIdx.x + 1 < gridDim.x ? flags[blockIdx.x + 1] + 1 : 1;
    __threadfence();
    flags[blockIdx.x] = out[blockIdx.x];
  }
}

extern "C" __global__ void switches(const int* in, int* out) {
  int v = in[threadIdx.x];
  int r;
  switch (v) {
    case 0: r = 17; break;
    case 1: r = v * 3 + threadIdx.x; break;
    case 2: r = -v; break;
    case 3: r = v << 4; break;
    case 4: r = v ^ 0x55; break;
    case 5: r = threadIdx.x / 3; break;
    case 6: r = threadIdx.x % 5; break;
    default: r = -1;
  }
  out[threadIdx.x] = r;
}
