// SPDX-License-Identifier: Apache-2.0
//
// Errors of a plane as far as an eye sees them: overlapping 8 x 8 blocks, seven samples apart, one thread a block; differences
// of their cosine transforms count above what the block's own texture masks, weighted by contrast sensitivity. A thread's block
// is in local memory, which loops index, so they are kept as loops.
#include "reference_impl/kernels/block_sum.cuh"
#include "reference_impl/kernels/lifted_dct.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

constexpr int kStep = 7;

// Of the coefficients of a block, row by row.
struct Sensitivity {
  float contrast[kBlockSamples];
  float masking[kBlockSamples];
};

template <typename Sample>
__device__ void Load(const unsigned char* plane, size_t pitch, int left, int top, int* block) {
#pragma unroll 1
  for (int y = 0; y < kBlockSide; ++y) {
    for (int x = 0; x < kBlockSide; ++x) {
      block[y * kBlockSide + x] = static_cast<int>(SampleAt<Sample>(plane, pitch, left + x, top + y));
    }
  }
}

// n * sum(x^2) - sum(x)^2 of a square part of a block: n times its squared deviations.
__device__ long long Deviation(const int* block, int left, int top, int side) {
  long long sum = 0;
  long long squares = 0;
#pragma unroll 1
  for (int y = top; y < top + side; ++y) {
#pragma unroll 1
    for (int x = left; x < left + side; ++x) {
      const long long sample = block[y * kBlockSide + x];
      sum += sample;
      squares += sample * sample;
    }
  }
  return side * side * squares - sum * sum;
}

// Variances of the quadrants over the variance of the whole; 0 where nothing varies.
__device__ double Activity(const int* block) {
  const double whole = static_cast<double>(Deviation(block, 0, 0, kBlockSide)) / 63;
  if (whole == 0) return 0;
  constexpr int kQuadrant = kBlockSide / 2;
  long long quadrants = 0;
#pragma unroll 1
  for (int quadrant = 0; quadrant < 4; ++quadrant) {
    quadrants += Deviation(block, quadrant % 2 * kQuadrant, quadrant / 2 * kQuadrant, kQuadrant);
  }
  return static_cast<double>(quadrants) / 15 / whole;
}

// What the texture of a transformed block masks.
__device__ double MaskingEnergy(const int* coefficients, double activity, const Sensitivity& sensitivity) {
  double energy = 0;
#pragma unroll 1
  for (int k = 1; k < kBlockSamples; ++k) {
    const double coefficient = coefficients[k];
    energy += coefficient * coefficient * sensitivity.masking[k];
  }
  return sqrt(energy * activity) / 32;
}

template <typename Sample>
__device__ double BlockError(const unsigned char* reference, size_t reference_pitch, const unsigned char* distorted,
                             size_t distorted_pitch, int left, int top, const Sensitivity& sensitivity) {
  int of_reference[kBlockSamples];
  int of_distorted[kBlockSamples];
  Load<Sample>(reference, reference_pitch, left, top, of_reference);
  Load<Sample>(distorted, distorted_pitch, left, top, of_distorted);
  const double reference_activity = Activity(of_reference);
  const double distorted_activity = Activity(of_distorted);
  TransformBlock(of_reference);
  TransformBlock(of_distorted);
  const double energy = fmax(MaskingEnergy(of_reference, reference_activity, sensitivity),
                             MaskingEnergy(of_distorted, distorted_activity, sensitivity));
  double sum = 0;
#pragma unroll 1
  for (int k = 0; k < kBlockSamples; ++k) {
    double error = abs(of_reference[k] - of_distorted[k]);
    if (k > 0) error = fmax(0.0, error - energy / sensitivity.masking[k]);
    const double seen = error * sensitivity.contrast[k];
    sum += seen * seen;
  }
  return sum;
}

template <typename Sample>
__device__ void Errors(const unsigned char* reference, size_t reference_pitch, const unsigned char* distorted,
                       size_t distorted_pitch, int columns, int rows, const Sensitivity* sensitivity,
                       double* partials) {
  const int x = PixelX();
  const int y = PixelY();
  double error = 0;
  if (x < columns && y < rows) {
    error = BlockError<Sample>(reference, reference_pitch, distorted, distorted_pitch, x * kStep, y * kStep,
                               *sensitivity);
  }
  BlockStore(error, partials);
}

}  // namespace

extern "C" __global__ void psnr_hvs_8bpc(const unsigned char* reference, size_t reference_pitch,
                                         const unsigned char* distorted, size_t distorted_pitch, int columns, int rows,
                                         const Sensitivity* sensitivity, double* partials) {
  Errors<unsigned char>(reference, reference_pitch, distorted, distorted_pitch, columns, rows, sensitivity, partials);
}

extern "C" __global__ void psnr_hvs_16bpc(const unsigned char* reference, size_t reference_pitch,
                                          const unsigned char* distorted, size_t distorted_pitch, int columns, int rows,
                                          const Sensitivity* sensitivity, double* partials) {
  Errors<unsigned short>(reference, reference_pitch, distorted, distorted_pitch, columns, rows, sensitivity, partials);
}
