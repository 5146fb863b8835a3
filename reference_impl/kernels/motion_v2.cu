// SPDX-License-Identifier: Apache-2.0
//
// The second integer motion: the five-tap blur is applied to the signed difference of two pictures, and the absolute values of
// the result are summed. Shifts of negative numbers round down.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

__device__ long long Blur(long long a, long long b, long long c, long long d, long long e) {
  return 3571 * (a + e) + 16004 * (b + d) + 26386 * c;
}

template <typename Sample>
__device__ void Keep(const unsigned char* source, size_t pitch, unsigned short* kept, int width, int height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  kept[static_cast<size_t>(y) * width + x] = static_cast<unsigned short>(SampleAt<Sample>(source, pitch, x, y));
}

}  // namespace

// A copy of the luma, so that the picture may be filled again.
extern "C" __global__ void motion_v2_keep_8bpc(const unsigned char* source, size_t pitch, unsigned short* kept,
                                               int width, int height) {
  Keep<unsigned char>(source, pitch, kept, width, height);
}

extern "C" __global__ void motion_v2_keep_16bpc(const unsigned char* source, size_t pitch, unsigned short* kept,
                                                int width, int height) {
  Keep<unsigned short>(source, pitch, kept, width, height);
}

extern "C" __global__ void motion_v2_columns(const unsigned short* previous, const unsigned short* current,
                                             int* target, int width, int height, int bits) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const auto difference = [&](int row) -> long long {
    const size_t i = static_cast<size_t>(Reflect(row, height)) * width + x;
    return static_cast<int>(previous[i]) - static_cast<int>(current[i]);
  };
  const long long sum =
      Blur(difference(y - 2), difference(y - 1), difference(y), difference(y + 1), difference(y + 2));
  target[static_cast<size_t>(y) * width + x] = static_cast<int>((sum + (1ll << (bits - 1))) >> bits);
}

extern "C" __global__ void motion_v2_rows_sum(const int* columns, unsigned long long* total, int width, int height) {
  const int x = PixelX();
  const int y = PixelY();
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
