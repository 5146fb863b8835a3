// SPDX-License-Identifier: Apache-2.0
//
// The second integer motion: the five-tap blur is applied to the signed difference of two pictures, and the absolute values of
// the result are summed. Shifts of negative numbers round down.
#include "reference_impl/kernels/block_sum.cuh"

namespace {

__device__ int Reflect(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

__device__ long long Blur(long long a, long long b, long long c, long long d, long long e) {
  return 3571 * (a + e) + 16004 * (b + d) + 26386 * c;
}

template <typename Sample>
__device__ void DifferenceColumns(const unsigned char* previous, size_t previous_pitch, const unsigned char* current,
                                  size_t current_pitch, int* target, int width, int height, int bits) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const auto difference = [&](int row) -> long long {
    const int r = Reflect(row, height);
    return static_cast<int>(reinterpret_cast<const Sample*>(previous + r * previous_pitch)[x]) -
           static_cast<int>(reinterpret_cast<const Sample*>(current + r * current_pitch)[x]);
  };
  const long long sum =
      Blur(difference(y - 2), difference(y - 1), difference(y), difference(y + 1), difference(y + 2));
  target[static_cast<size_t>(y) * width + x] = static_cast<int>((sum + (1ll << (bits - 1))) >> bits);
}

}  // namespace

extern "C" __global__ void motion_v2_columns_8bpc(const unsigned char* previous, size_t previous_pitch,
                                                  const unsigned char* current, size_t current_pitch, int* target,
                                                  int width, int height, int bits) {
  DifferenceColumns<unsigned char>(previous, previous_pitch, current, current_pitch, target, width, height, bits);
}

extern "C" __global__ void motion_v2_columns_16bpc(const unsigned char* previous, size_t previous_pitch,
                                                   const unsigned char* current, size_t current_pitch, int* target,
                                                   int width, int height, int bits) {
  DifferenceColumns<unsigned short>(previous, previous_pitch, current, current_pitch, target, width, height, bits);
}

extern "C" __global__ void motion_v2_rows_sum(const int* columns, unsigned long long* total, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned long long magnitude = 0;
  if (x < width && y < height) {
    const int* row = columns + static_cast<size_t>(y) * width;
    const auto sample = [&](int column) -> long long { return row[Reflect(column, width)]; };
    const long long value =
        (Blur(sample(x - 2), sample(x - 1), sample(x), sample(x + 1), sample(x + 2)) + 32768) >> 16;
    magnitude = static_cast<unsigned long long>(value < 0 ? -value : value);
  }
  BlockAdd(magnitude, total);
}
