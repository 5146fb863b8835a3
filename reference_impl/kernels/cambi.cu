// SPDX-License-Identifier: Apache-2.0
//
// Contrast-aware multiscale banding: a ten-bit picture, a mask of its flat parts, and for every flat sample how many of the
// samples around it are one to four steps away. All counts are integers; the contrast of a sample is one product of fractions.
#include "reference_impl/kernels/largest_share.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kBits = 10;
constexpr int kMaskRadius = 3;
constexpr int kSteps = 4;
constexpr int kValues = 2 * kSteps + 1;        // a sample's own value and four on each side
constexpr unsigned short kMaskedOut = 0xffff;  // further from every value than kSteps

// The largest value at which a step of one, two, three and four is visible.
struct Thresholds {
  int of_step[kSteps];
};

template <typename Sample>
__device__ unsigned TenBits(const unsigned char* plane, size_t pitch, int x, int y, int bits) {
  const unsigned sample = SampleAt<Sample>(plane, pitch, x, y);
  if (bits <= kBits) return sample << (kBits - bits);
  return (sample + (1u << (bits - kBits - 1))) >> (bits - kBits);
}

// Below ten bits the steps that the conversion leaves are smoothed over 2 x 2 samples, down and right; at the end of a row or a
// column over two; the last sample stays.
template <typename Sample>
__device__ void Widen(const unsigned char* source, size_t pitch, unsigned short* target, int width, int height, int bits) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  unsigned value = TenBits<Sample>(source, pitch, x, y, bits);
  if (bits < kBits) {
    const bool right = x + 1 < width;
    const bool below = y + 1 < height;
    if (right) value += TenBits<Sample>(source, pitch, x + 1, y, bits);
    if (below) value += TenBits<Sample>(source, pitch, x, y + 1, bits);
    if (right && below) value += TenBits<Sample>(source, pitch, x + 1, y + 1, bits);
    value >>= static_cast<int>(right) + static_cast<int>(below);
  }
  target[static_cast<size_t>(y) * width + x] = static_cast<unsigned short>(value);
}

// Whether a sample equals its right and its lower neighbour; the frame's edge equals everything.
__device__ unsigned Flat(const unsigned short* image, int x, int y, int width, int height) {
  const size_t i = static_cast<size_t>(y) * width + x;
  const unsigned value = image[i];
  return (x + 1 >= width || value == image[i + 1]) && (y + 1 >= height || value == image[i + width]);
}

// The value that occurs twice, or else the smallest.
__device__ unsigned short Mode(unsigned short a, unsigned short b, unsigned short c) {
  if (a == b || a == c) return a;
  if (b == c) return b;
  return min(a, min(b, c));
}

}  // namespace

extern "C" __global__ void cambi_widen_8bpc(const unsigned char* source, size_t pitch, unsigned short* target, int width,
                                            int height, int bits) {
  Widen<unsigned char>(source, pitch, target, width, height, bits);
}

extern "C" __global__ void cambi_widen_16bpc(const unsigned char* source, size_t pitch, unsigned short* target, int width,
                                             int height, int bits) {
  Widen<unsigned short>(source, pitch, target, width, height, bits);
}

// Flat samples in each row's window of seven.
extern "C" __global__ void cambi_mask_rows(const unsigned short* image, unsigned char* counts, int width, int height) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  unsigned count = 0;
  for (int at = max(0, x - kMaskRadius); at <= min(width - 1, x + kMaskRadius); ++at) {
    count += Flat(image, at, y, width, height);
  }
  counts[static_cast<size_t>(y) * width + x] = static_cast<unsigned char>(count);
}

// 1 where more than `threshold` of the 7 x 7 samples around are flat.
extern "C" __global__ void cambi_mask_columns(const unsigned char* counts, unsigned char* mask, int width, int height,
                                              int threshold) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  int count = 0;
  for (int at = max(0, y - kMaskRadius); at <= min(height - 1, y + kMaskRadius); ++at) {
    count += counts[static_cast<size_t>(at) * width + x];
  }
  mask[static_cast<size_t>(y) * width + x] = count > threshold;
}

// A scale: every `step`th sample of the picture before it, the mode of three in a row, and of three rows of those; columns and
// rows at the edge stay. `masked` has the samples where the mask, which stays at full size, is set.
extern "C" __global__ void cambi_filter(const unsigned short* source, const unsigned char* mask, unsigned short* target,
                                        unsigned short* masked, int source_width, int step, int width, int height,
                                        int mask_width, int mask_step) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const auto at = [&](int column, int row) { return source[static_cast<size_t>(row * step) * source_width + column * step]; };
  const auto mode_of_row = [&](int row) {
    const bool inside = x > 0 && x + 1 < width;
    return inside ? Mode(at(x - 1, row), at(x, row), at(x + 1, row)) : at(x, row);
  };
  const bool inside = y > 0 && y + 1 < height;
  const unsigned short value = inside ? Mode(mode_of_row(y - 1), mode_of_row(y), mode_of_row(y + 1)) : at(x, y);
  const size_t i = static_cast<size_t>(y) * width + x;
  target[i] = value;
  masked[i] = mask[static_cast<size_t>(y * mask_step) * mask_width + x * mask_step] != 0 ? value : kMaskedOut;
}

// The contrast of every sample, 0 where the mask is not set. Nine counters of six bits are kept in one word, and emptied before
// one of them can overflow.
extern "C" __global__ void cambi_contrast(const unsigned short* masked, float* contrast, int width, int height, int radius,
                                          Thresholds thresholds) {
  constexpr int kCounterBits = 6;
  constexpr int kFull = (1 << kCounterBits) - 1;
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const size_t i = static_cast<size_t>(y) * width + x;
  const int value = masked[i];
  float largest = 0;
  if (value != kMaskedOut && value <= thresholds.of_step[kSteps - 1]) {
    int counts[kValues] = {};
    unsigned long long counters = 0;
    int counted = 0;
    const int right = min(width - 1, x + radius);
    const int below = min(height - 1, y + radius);
    for (int row = max(0, y - radius); row <= below; ++row) {
      const unsigned short* samples = masked + static_cast<size_t>(row) * width;
      for (int column = max(0, x - radius); column <= right;) {
        const int stop = min(right + 1, column + kFull - counted);
        counted += stop - column;
        for (; column < stop; ++column) {
          const unsigned place = samples[column] - value + kSteps;
          if (place < kValues) counters += 1ull << (kCounterBits * place);
        }
        if (counted < kFull) continue;
#pragma unroll
        for (int k = 0; k < kValues; ++k) counts[k] += static_cast<int>(counters >> (kCounterBits * k)) & kFull;
        counters = 0;
        counted = 0;
      }
    }
#pragma unroll
    for (int k = 0; k < kValues; ++k) counts[k] += static_cast<int>(counters >> (kCounterBits * k)) & kFull;
    const int own = counts[kSteps];
#pragma unroll
    for (int step = 1; step <= kSteps; ++step) {
      if (value > thresholds.of_step[step - 1]) continue;
      const int away = max(counts[kSteps + step], counts[kSteps - step]);
      const float product = static_cast<float>(step * own * away);
      largest = fmaxf(largest, product * (1.0f / static_cast<float>(own + away)));
    }
  }
  contrast[i] = largest;
}

extern "C" __global__ void cambi_start_share(const Layers* layers, unsigned* bins, Selection* selections) {
  StartSelection(layers, bins, selections);
}

extern "C" __global__ void cambi_count_digits(const float* contrast, const Layers* layers, const Selection* selections, unsigned* bins,
                                              int shift, int width) {
  CountDigits(contrast, layers, selections, bins, shift, width);
}

extern "C" __global__ void cambi_pick_digit(unsigned* bins, Selection* selections, int width) {
  PickDigit(bins, selections, width);
}

extern "C" __global__ void cambi_sum_share(const float* contrast, const Layers* layers, const Selection* selections, Share* shares) {
  SumShare(contrast, layers, selections, shares);
}
