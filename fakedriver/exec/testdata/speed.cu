// SPDX-License-Identifier: Apache-2.0
// Kernels whose speed is measured. The hash is eleven integer instructions a round.
#include <cstdint>

extern "C" __global__ void hash_loop(uint32_t* out, uint32_t rounds) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t h = i * 2654435761u + 1;
  for (uint32_t n = 0; n < rounds; ++n) {
    h ^= h << 13;
    h ^= h >> 17;
    h ^= h << 5;
    h = h * 1664525u + (1013904223u ^ n);
  }
  out[i] = h;
}

__constant__ uint16_t kMotionTaps[5] = {3571, 16004, 26386, 16004, 3571};

// The shape of a motion extractor: a tile in shared memory, a separable filter, a sum over the warp.
extern "C" __global__ void motion(const uint8_t* source, const uint16_t* before, uint16_t* blurred, uint32_t width,
                                  uint32_t height, uint32_t stride, unsigned long long* sad) {
  __shared__ uint32_t tile[20][20];
  int x0 = blockIdx.x * 16;
  int y0 = blockIdx.y * 16;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 400; k += 256) {
    int x = abs(x0 + k % 20 - 2);
    int y = abs(y0 + k / 20 - 2);
    if (x >= (int)width) x = 2 * width - x - 1;
    if (y >= (int)height) y = 2 * height - y - 1;
    tile[k / 20][k % 20] = source[y * stride + x];
  }
  __syncthreads();
  int x = x0 + threadIdx.x;
  int y = y0 + threadIdx.y;
  uint32_t difference = 0;
  if (x < width && y < height) {
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      uint32_t line = 0;
#pragma unroll
      for (int j = 0; j < 5; ++j) line += kMotionTaps[j] * tile[threadIdx.y + j][threadIdx.x + i];
      sum += kMotionTaps[i] * ((line + 128) >> 8);
    }
    uint16_t value = (sum + 32768) >> 16;
    blurred[y * width + x] = value;
    difference = abs(value - before[y * width + x]);
  }
  unsigned long long total = difference;
  for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(0xffffffff, total, offset);
  if ((threadIdx.x + threadIdx.y * 16) % 32 == 0) atomicAdd(sad, total);
}

// The shape of VIF: five moments over a window, 64-bit sums, a logarithm and a division for each pixel.
extern "C" __global__ void moments(const uint8_t* a, const uint8_t* b, float* out, uint32_t width, uint32_t height,
                                   uint32_t stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x + 9 > width || y + 9 > height) return;
  uint32_t sum_a = 0;
  uint32_t sum_b = 0;
  unsigned long long aa = 0;
  unsigned long long bb = 0;
  unsigned long long ab = 0;
  for (int j = 0; j < 9; ++j) {
    const uint8_t* row_a = a + (y + j) * stride + x;
    const uint8_t* row_b = b + (y + j) * stride + x;
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      uint32_t p = row_a[i];
      uint32_t q = row_b[i];
      sum_a += p;
      sum_b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  float mean_a = sum_a / 81.0f;
  float mean_b = sum_b / 81.0f;
  float var_a = aa / 81.0f - mean_a * mean_a;
  float var_b = bb / 81.0f - mean_b * mean_b;
  float cov = ab / 81.0f - mean_a * mean_b;
  float gain = cov / (var_a + 1e-10f);
  float residual = var_b - gain * cov;
  out[y * width + x] = __log2f(1.0f + gain * gain * var_a / (residual * residual + 2.0f));
}
