// SPDX-License-Identifier: Apache-2.0
//
// Contrast masking: detail counts as far as it exceeds a threshold made from the masking bands around it.
#include "reference_impl/kernels/adm_bands.cuh"
#include "reference_impl/kernels/adm_borders.cuh"

namespace {

// Shares of a neighbour and of the centre in the threshold, 1/30 and 1/15.
struct Shares {
  long long neighbour, centre;
  long long rounding;
  int shift;
};

__device__ long long Share(long long magnitude, long long share, const Shares& shares) {
  return (share * magnitude + shares.rounding) >> shares.shift;
}

__device__ long long Threshold(const Bands<const long long>& magnitudes, int width, int height, int x, int y,
                               const Shares& shares) {
  long long threshold = 0;
  for (int band = 0; band < 3; ++band) {
    for (int dy = -1; dy <= 1; ++dy) {
      const size_t row = static_cast<size_t>(NeighbourMirror(y + dy, height)) * width;
      for (int dx = -1; dx <= 1; ++dx) {
        const long long magnitude = magnitudes.band[band][row + NeighbourMirror(x + dx, width)];
        const bool centre = dx == 0 && dy == 0;
        threshold += Share(magnitude, centre ? shares.centre : shares.neighbour, shares);
      }
    }
  }
  return threshold;
}

// How the masked detail becomes a sum of cubes, for each band.
struct Precision {
  long long weight[3];
  int weight_rounding;
  int weight_shift;
  int threshold_shift[3];
  int square_shift[3];
  int cube_shift[3];
};

}  // namespace

extern "C" __global__ void adm_masked_sum(Bands<const int> detail, Bands<const long long> magnitudes, Window window,
                                          int height, Shares shares, Precision precision, int row_shift,
                                          unsigned long long* totals) {
  const int b = blockIdx.y;
  AddRow(window, row_shift, &totals[b], [&](int x, int y) {
    const long long value = detail.band[b][static_cast<size_t>(y) * window.width + x];
    const long long weighted = (precision.weight[b] * value + precision.weight_rounding) >> precision.weight_shift;
    const long long threshold = Threshold(magnitudes, window.width, height, x, y, shares)
                                << precision.threshold_shift[b];
    const long long masked = max(0ll, (weighted < 0 ? -weighted : weighted) - threshold);
    const long long square = Rounded(masked * masked, precision.square_shift[b]);
    return Rounded(square * masked, precision.cube_shift[b]);
  });
}
