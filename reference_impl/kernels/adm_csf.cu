// SPDX-License-Identifier: Apache-2.0
//
// Contrast sensitivity: what the reference's detail adds to the denominator, and what masks the other detail.
#include "reference_impl/kernels/adm_bands.cuh"
#include "reference_impl/kernels/picture.cuh"

// The denominator of the first level: cubes of the samples.
extern "C" __global__ void adm_first_denominator(Bands<const int> original, Window window, int row_shift,
                                                 unsigned long long* totals) {
  const int* band = original.band[blockIdx.y];
  AddRow(window, row_shift, &totals[blockIdx.y], [&](int x, int y) {
    const long long value = abs(band[static_cast<size_t>(y) * window.width + x]);
    return value * value * value;
  });
}

// Of a later one: cubes in reduced precision. The square's rounding term is a whole unit.
extern "C" __global__ void adm_denominator(Bands<const int> original, Window window, int square_shift, int cube_shift,
                                           int row_shift, unsigned long long* totals) {
  const int* band = original.band[blockIdx.y];
  AddRow(window, row_shift, &totals[blockIdx.y], [&](int x, int y) {
    const long long value = abs(band[static_cast<size_t>(y) * window.width + x]);
    return Rounded(((value * value + (1ll << square_shift)) >> square_shift) * value, cube_shift);
  });
}

// Magnitudes of the masking bands, weighted: (weight * value + rounding) >> shift.
struct Weights {
  long long weight[3];
  int rounding[3];
  int shift[3];
};

extern "C" __global__ void adm_mask(Bands<const int> masking, Bands<long long> magnitudes, int width, int height,
                                    Weights weights) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const size_t i = static_cast<size_t>(y) * width + x;
#pragma unroll
  for (int band = 0; band < 3; ++band) {
    const long long weighted =
        (weights.weight[band] * masking.band[band][i] + weights.rounding[band]) >> weights.shift[band];
    magnitudes.band[band][i] = weighted < 0 ? -weighted : weighted;
  }
}
