// SPDX-License-Identifier: Apache-2.0
//
// Integer motion: a separable five-tap blur of the reference luma, columns first, and the sum of absolute differences of two
// blurred pictures. All arithmetic is on integers, and the sum is order-free, so every device gives the same bits.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

// Taps with sum 65536; five 16-bit samples cannot overflow 32 bits.
__device__ unsigned Blur(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e) {
  return 3571u * (a + e) + 16004u * (b + d) + 26386u * c;
}

template <typename Sample>
__device__ void BlurColumns(const unsigned char* source, size_t pitch, unsigned short* target, int width,
                            int height, int bits) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const auto sample = [&](int row) { return SampleAt<Sample>(source, pitch, x, Reflect(row, height)); };
  const unsigned sum =
      Blur(sample(y - 2), sample(y - 1), sample(y), sample(y + 1), sample(y + 2)) + (1u << (bits - 1));
  target[static_cast<size_t>(y) * width + x] = static_cast<unsigned short>(sum >> bits);
}

}  // namespace

extern "C" __global__ void motion_blur_columns_8bpc(const unsigned char* source, size_t pitch,
                                                    unsigned short* target, int width, int height, int bits) {
  BlurColumns<unsigned char>(source, pitch, target, width, height, bits);
}

extern "C" __global__ void motion_blur_columns_16bpc(const unsigned char* source, size_t pitch,
                                                     unsigned short* target, int width, int height, int bits) {
  BlurColumns<unsigned short>(source, pitch, target, width, height, bits);
}

// Finishes the blur of one picture and, unless `previous` is null, adds its distance from that picture to *sad.
extern "C" __global__ void motion_blur_rows_sad(const unsigned short* columns, unsigned short* blurred,
                                                const unsigned short* previous, unsigned long long* sad,
                                                int width, int height) {
  const int x = PixelX();
  const int y = PixelY();
  unsigned difference = 0;
  if (x < width && y < height) {
    const size_t row = static_cast<size_t>(y) * width;
    const auto sample = [&](int column) -> unsigned { return columns[row + Reflect(column, width)]; };
    const unsigned sum =
        Blur(sample(x - 2), sample(x - 1), sample(x), sample(x + 1), sample(x + 2)) + 32768u;
    const int value = static_cast<int>(sum >> 16);
    blurred[row + x] = static_cast<unsigned short>(value);
    if (previous != nullptr) difference = abs(value - static_cast<int>(previous[row + x]));
  }
  if (previous != nullptr) BlockAdd(difference, sad);
}
