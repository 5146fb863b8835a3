// SPDX-License-Identifier: Apache-2.0
//
// Splits the distorted bands into what a gain of the reference explains (restored) and the rest (additive).
#include "reference_impl/kernels/adm_bands.cuh"
#include "reference_impl/kernels/picture.cuh"

namespace {

// Half the quotient's resolution is 15 bits; a reciprocal of 30 bits is divided exactly.
__device__ long long Gain(int original, int distorted) {
  if (original == 0) return 32768;
  const unsigned magnitude = static_cast<unsigned>(abs(original));
  const int excess = magnitude < 32768u ? 0 : 17 - __clz(static_cast<int>(magnitude));
  const unsigned mantissa = excess == 0 ? magnitude : (magnitude + (1u << (excess - 1))) >> excess;
  const long long reciprocal = (1u << 30) / mantissa;
  const long long sign = original < 0 ? -1 : 1;
  const long long gain = (reciprocal * distorted * sign + (1ll << (14 + excess))) >> (15 + excess);
  return min(32768ll, max(0ll, gain));
}

__device__ double Scaled(long long value) { return static_cast<double>(static_cast<float>(value)) / 4096.0; }

}  // namespace

// Element by element; `count` samples a band. `limit` bounds an enhancement where the direction of the detail is kept.
extern "C" __global__ void adm_decouple(Bands<const int> original, Bands<const int> distorted, Bands<int> restored,
                                        Bands<int> additive, int width, int height, double limit, double cosine) {
  const int x = PixelX();
  const int y = PixelY();
  if (x >= width || y >= height) return;
  const size_t i = static_cast<size_t>(y) * width + x;
  const long long oh = original.band[0][i];
  const long long ov = original.band[1][i];
  const long long th = distorted.band[0][i];
  const long long tv = distorted.band[1][i];
  const double product = Scaled(oh * th + ov * tv);
  const bool same_direction =
      product >= 0 && product * product >= cosine * Scaled(oh * oh + ov * ov) * Scaled(th * th + tv * tv);
#pragma unroll
  for (int band = 0; band < 3; ++band) {
    const int o = original.band[band][i];
    const int t = distorted.band[band][i];
    const long long scaled = Gain(o, t) * o;
    int r = static_cast<int>((scaled + 16384) >> 15);
    if (same_direction && scaled > 0) r = static_cast<int>(fmin(r * limit, static_cast<double>(t)));
    if (same_direction && scaled < 0) r = static_cast<int>(fmax(r * limit, static_cast<double>(t)));
    restored.band[band][i] = r;
    additive.band[band][i] = t - r;
  }
}
