// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions in binary64, made of operations that IEEE 754 rounds exactly: the toolkit's own start from approximate
// instructions, whose last bits are the device's. Relative errors are below 1e-12 in the ranges that are named.
#ifndef CULPRIT_REFERENCE_IMPL_KERNELS_ELEMENTARY_CUH_
#define CULPRIT_REFERENCE_IMPL_KERNELS_ELEMENTARY_CUH_

constexpr double kPi = 3.14159265358979323846;

// Of a positive normal number.
__device__ inline double Log2(double v) {
  constexpr double kSqrt2 = 1.41421356237309504880;
  constexpr double kTwoOverLn2 = 2.88539008177792681472;
  constexpr long long kMantissa = (1ll << 52) - 1;
  const long long bits = __double_as_longlong(v);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = __longlong_as_double((bits & kMantissa) | (1023ll << 52));
  if (mantissa > kSqrt2) {
    mantissa *= 0.5;
    ++exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double series = 0;  // of the inverse hyperbolic tangent
#pragma unroll
  for (int k = 7; k >= 0; --k) series = series * square + 1.0 / (2 * k + 1);
  return exponent + kTwoOverLn2 * s * series;
}

// Of -1000 to 1000.
__device__ inline double Exp2(double v) {
  constexpr double kLn2 = 0.69314718055994530942;
  const double whole = floor(v + 0.5);
  const double x = (v - whole) * kLn2;
  double series = 1;
#pragma unroll
  for (int k = 12; k >= 1; --k) series = 1 + series * x * (1.0 / k);
  return series * __longlong_as_double((static_cast<long long>(whole) + 1023) << 52);
}

__device__ inline double Exp(double v) {
  constexpr double kLog2E = 1.44269504088896340736;
  return Exp2(v * kLog2E);
}

// Of a positive base. Not inlined: it is long, and called often. Not static: the name of a static function in PTX depends on the
// path of the source.
__device__ __noinline__ inline double Power(double base, double exponent) { return Exp2(exponent * Log2(base)); }

// Absolute errors, and for angles of a few turns.
__device__ inline double Cosine(double angle) {
  const double turns = floor(angle * (0.5 / kPi) + 0.5);
  const double x = angle - turns * (2 * kPi);
  const double square = x * x;
  double series = 1;
#pragma unroll
  for (int k = 13; k >= 1; --k) series = 1 - series * square * (1.0 / ((2 * k - 1) * (2 * k)));
  return series;
}

__device__ inline double Sine(double angle) { return Cosine(angle - kPi / 2); }

// The direction of (x, y), from -pi to pi; 0 for the origin.
__device__ inline double ArcTangent2(double y, double x) {
  constexpr double kTanOfEighth = 0.41421356237309504880;  // of pi / 8
  const double larger = fmax(fabs(x), fabs(y));
  if (larger == 0) return 0;
  const double ratio = fmin(fabs(x), fabs(y)) / larger;
  const bool shifted = ratio > kTanOfEighth;
  const double t = shifted ? (ratio - 1) / (ratio + 1) : ratio;
  const double square = t * t;
  double series = 0;
#pragma unroll
  for (int k = 15; k >= 0; --k) series = 1.0 / (2 * k + 1) - series * square;
  double angle = t * series + (shifted ? kPi / 4 : 0);
  if (fabs(y) > fabs(x)) angle = kPi / 2 - angle;
  if (x < 0) angle = kPi - angle;
  return y < 0 ? -angle : angle;
}

#endif  // CULPRIT_REFERENCE_IMPL_KERNELS_ELEMENTARY_CUH_
