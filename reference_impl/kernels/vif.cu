// SPDX-License-Identifier: Apache-2.0
//
// Visual information fidelity in fixed point, one scale a launch. Each scale filters both pictures, their squares and their
// product, columns first, and turns the local moments into four integer sums; so every device gives the same bits.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kLongestFilter = 17;
constexpr unsigned kNoise = 131072;  // the visual noise, 2.0, in 16 fractional bits

struct Filter {
  int length;
  unsigned taps[kLongestFilter];
};

// One picture of the scale, as 16-bit samples without padding.
struct Column {
  unsigned mu_reference, mu_distorted;
  unsigned reference_squared, distorted_squared, product;
};

__device__ unsigned Rounded(unsigned long long sum, int shift) {
  return static_cast<unsigned>(shift == 0 ? sum : (sum + (1ull << (shift - 1))) >> shift);
}

template <typename Sample>
__device__ void Widen(const unsigned char* source, size_t pitch, unsigned short* target, int width, int height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  target[static_cast<size_t>(y) * width + x] = static_cast<unsigned short>(SampleAt<Sample>(source, pitch, x, y));
}

// 2048 * log2(v); `table` has the logarithms of 32767 to 65535.
__device__ long long Log2(unsigned long long v, const unsigned short* table) {
  const int shift = 48 - __clzll(static_cast<long long>(v));
  const unsigned mantissa = static_cast<unsigned>(shift >= 0 ? v >> shift : v << -shift);
  return static_cast<long long>(table[mantissa - 32767]) + 2048ll * shift;
}

__device__ unsigned High(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned>((a * b + (1ull << 31)) >> 32);
}

}  // namespace

extern "C" __global__ void vif_widen_8bpc(const unsigned char* source, size_t pitch, unsigned short* target, int width,
                                          int height) {
  Widen<unsigned char>(source, pitch, target, width, height);
}

extern "C" __global__ void vif_widen_16bpc(const unsigned char* source, size_t pitch, unsigned short* target, int width,
                                           int height) {
  Widen<unsigned short>(source, pitch, target, width, height);
}

extern "C" __global__ void vif_columns(const unsigned short* reference, const unsigned short* distorted, Column* columns,
                                       int width, int height, Filter filter, int mu_shift, int square_shift) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  unsigned long long sums[5] = {};
  for (int k = 0; k < filter.length; ++k) {
    const size_t i = static_cast<size_t>(Reflect(y + k - filter.length / 2, height)) * width + x;
    const unsigned long long tap = filter.taps[k];
    const unsigned long long r = reference[i];
    const unsigned long long d = distorted[i];
    sums[0] += tap * r;
    sums[1] += tap * d;
    sums[2] += tap * r * r;
    sums[3] += tap * d * d;
    sums[4] += tap * r * d;
  }
  columns[static_cast<size_t>(y) * width + x] = {Rounded(sums[0], mu_shift), Rounded(sums[1], mu_shift),
                                                 Rounded(sums[2], square_shift), Rounded(sums[3], square_shift),
                                                 Rounded(sums[4], square_shift)};
}

// Adds to sums: logarithms of the numerator and of the denominator, samples without signal, and their distorted variance.
extern "C" __global__ void vif_rows(const Column* columns, const unsigned short* log_table, unsigned long long* sums,
                                    int width, int height, Filter filter, double gain_limit) {
  const int x = PixelX();
  const int y = PixelY();
  unsigned long long numerator = 0;
  unsigned long long denominator = 0;
  unsigned long long flat = 0;
  unsigned long long flat_variance = 0;
  if (x < width && y < height) {
    unsigned long long mu_r = 0, mu_d = 0, rr = 0, dd = 0, rd = 0;
    for (int k = 0; k < filter.length; ++k) {
      const Column& column =
          columns[static_cast<size_t>(y) * width + Reflect(x + k - filter.length / 2, width)];
      const unsigned long long tap = filter.taps[k];
      mu_r += tap * column.mu_reference;
      mu_d += tap * column.mu_distorted;
      rr += tap * column.reference_squared;
      dd += tap * column.distorted_squared;
      rd += tap * column.product;
    }
    const int variance_r = static_cast<int>(Rounded(rr, 16) - High(mu_r, mu_r));
    const int variance_d = max(0, static_cast<int>(Rounded(dd, 16) - High(mu_d, mu_d)));
    const int covariance = static_cast<int>(Rounded(rd, 16) - High(mu_r, mu_d));
    if (variance_r >= static_cast<int>(kNoise)) {
      denominator = Log2(kNoise + static_cast<unsigned>(variance_r), log_table) - 2048 * 17;
      if (covariance > 0 && variance_d > 0) {
        const double unlimited = static_cast<double>(covariance) / (static_cast<double>(variance_r) + 65536 * 1e-10);
        const long long rest = max(0ll, static_cast<long long>(variance_d - unlimited * covariance));
        const double gain = fmin(unlimited, gain_limit);
        const unsigned long long noise = static_cast<unsigned long long>(rest) + kNoise;
        const unsigned long long signal = static_cast<unsigned long long>(gain * gain * variance_r) + noise;
        numerator = Log2(signal, log_table) - Log2(noise, log_table);
      }
    } else {
      flat = 1;
      flat_variance = static_cast<unsigned>(variance_d);
    }
  }
  BlockAdd(numerator, &sums[0]);
  BlockAdd(denominator, &sums[1]);
  BlockAdd(flat, &sums[2]);
  BlockAdd(flat_variance, &sums[3]);
}

// The next scale: filtered columns of the even rows.
extern "C" __global__ void vif_shrink_columns(const unsigned short* source, unsigned short* target, int width, int height,
                                              int target_height, Filter filter, int shift) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= target_height) return;
  unsigned long long sum = 0;
  for (int k = 0; k < filter.length; ++k) {
    sum += static_cast<unsigned long long>(filter.taps[k]) *
           source[static_cast<size_t>(Reflect(2 * y + k - filter.length / 2, height)) * width + x];
  }
  target[static_cast<size_t>(y) * width + x] = static_cast<unsigned short>(Rounded(sum, shift));
}

// And filtered rows, at the even columns.
extern "C" __global__ void vif_shrink_rows(const unsigned short* source, unsigned short* target, int width,
                                           int target_width, int target_height, Filter filter) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= target_width || y >= target_height) return;
  unsigned long long sum = 0;
  for (int k = 0; k < filter.length; ++k) {
    sum += static_cast<unsigned long long>(filter.taps[k]) *
           source[static_cast<size_t>(y) * width + Reflect(2 * x + k - filter.length / 2, width)];
  }
  target[static_cast<size_t>(y) * target_width + x] = static_cast<unsigned short>(Rounded(sum, 16));
}
