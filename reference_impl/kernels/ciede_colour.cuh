// SPDX-License-Identifier: Apache-2.0
//
// From video samples to L*a*b*, and the CIEDE2000 difference of two such colours.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_CIEDE_COLOUR_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_CIEDE_COLOUR_CUH_

#include "reference_impl/kernels/elementary.cuh"

struct Lab {
  double l, a, b;
};

__device__ inline double Linear(double component) {
  return component > 10.0 / 255.0 ? Power((component + 0.055) / 1.055, 2.4) : component / 12.92;
}

// The cube root where the definition has it, a line near black.
__device__ inline double LabRoot(double ratio) {
  constexpr double kKappa = 24389.0 / 27.0;
  constexpr double kEpsilon = 216.0 / 24389.0;
  return ratio > kEpsilon ? Power(ratio, 1.0 / 3.0) : (kKappa * ratio + 16) / 116;
}

// BT.709 of limited range; the samples in units of eight bits.
__device__ inline Lab LabOf(double luma, double cb, double cr) {
  const double y = (luma - 16) / 219;
  const double u = (cb - 128) / 224;
  const double v = (cr - 128) / 224;
  const double red = Linear(y + 1.28033 * v);
  const double green = Linear(y - 0.21482 * u - 0.38059 * v);
  const double blue = Linear(y + 2.12798 * u);
  const double x = LabRoot(
      (0.4124564390896921 * red + 0.357576077643909 * green + 0.18043748326639894 * blue) / 0.95047);
  const double luminance =
      LabRoot(0.21267285140562248 * red + 0.715152155287818 * green + 0.07217499330655958 * blue);
  const double z = LabRoot(
      (0.019333895582329317 * red + 0.119192025881303 * green + 0.9503040785363677 * blue) / 1.08883);
  return {116 * luminance - 16, 500 * (x - luminance), 200 * (luminance - z)};
}

// From 0 to a whole turn.
__device__ inline double Hue(double b, double a) {
  const double angle = ArcTangent2(b, a);
  return angle < 0 ? angle + 2 * kPi : angle;
}

__device__ inline double SeventhPower(double v) {
  const double cube = v * v * v;
  return cube * cube * v;
}

// How much of a chroma counts as saturated, as the definition's sqrt(C^7 / (C^7 + 25^7)).
__device__ inline double Saturation(double chroma) {
  constexpr double k25To7 = 6103515625.0;
  const double seventh = SeventhPower(chroma);
  return sqrt(seventh / (seventh + k25To7));
}

__device__ inline double HueDifference(double h1, double h2) {
  const double difference = h2 - h1;
  if (fabs(difference) <= kPi) return difference;
  return h2 <= h1 ? difference + 2 * kPi : difference - 2 * kPi;
}

// With the weights 0.65, 1 and 4 of lightness, chroma and hue.
__device__ inline double Ciede2000(const Lab& first, const Lab& second) {
  constexpr double kDegree = kPi / 180;
  const double c1 = sqrt(first.a * first.a + first.b * first.b);
  const double c2 = sqrt(second.a * second.a + second.b * second.b);
  const double stretch = 1 + 0.5 * (1 - Saturation((c1 + c2) / 2));
  const double a1 = first.a * stretch;
  const double a2 = second.a * stretch;
  const double chroma1 = sqrt(a1 * a1 + first.b * first.b);
  const double chroma2 = sqrt(a2 * a2 + second.b * second.b);
  const double h1 = Hue(first.b, a1);
  const double h2 = Hue(second.b, a2);
  const double turn = c1 == 0 || c2 == 0 ? 0 : HueDifference(h1, h2);

  const double lightness = (first.l + second.l) / 2 - 50;
  const double chroma = (chroma1 + chroma2) / 2;
  const double hue = (h1 + h2) / 2 + (fabs(h1 - h2) > kPi ? kPi : 0);
  const double weight = 1 - 0.17 * Cosine(hue - 30 * kDegree) + 0.24 * Cosine(2 * hue) +
                        0.32 * Cosine(3 * hue + 6 * kDegree) - 0.20 * Cosine(4 * hue - 63 * kDegree);
  const double blueness = (hue / kDegree - 275) / 25;
  const double rotation =
      -2 * Saturation(chroma) * Sine(60 * kDegree * Exp(-(blueness * blueness)));

  const double of_lightness =
      (second.l - first.l) / (0.65 * (1 + 0.015 * lightness * lightness / sqrt(20 + lightness * lightness)));
  const double of_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma);
  const double of_hue = 2 * sqrt(chroma1 * chroma2) * Sine(turn / 2) / (4 * (1 + 0.015 * chroma * weight));
  const double squared = of_lightness * of_lightness + of_chroma * of_chroma + of_hue * of_hue +
                         rotation * of_chroma * of_hue;
  return sqrt(fmax(squared, 0.0));
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_CIEDE_COLOUR_CUH_
