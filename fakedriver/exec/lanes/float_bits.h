// SPDX-License-Identifier: Apache-2.0
//
// What devices do around an IEEE operation: flush subnormals (.ftz), clamp to [0, 1] (.sat), give
// one and the same NaN. PTX ISA, "Floating Point Instructions": single-precision results that are
// NaN are 0x7fffffff.
#ifndef FAKEDRIVER_EXEC_LANES_FLOAT_BITS_H_
#define FAKEDRIVER_EXEC_LANES_FLOAT_BITS_H_

#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {

CULPRIT_INLINE float Flush(float x) {
  uint32_t bits = Cast<uint32_t>(x);
  return (bits & 0x7f800000) == 0 ? Cast<float>(bits & 0x80000000) : x;
}
template <bool kFtz>
CULPRIT_INLINE float Input(float x) {
  return kFtz ? Flush(x) : x;
}

CULPRIT_INLINE float CanonicalNan(float x) { return x != x ? Cast<float>(0x7fffffffu) : x; }

// NaN becomes 0.
CULPRIT_INLINE float Clamp01(float x) {
  float low = x > 0.0f ? x : 0.0f;
  return low < 1.0f ? low : 1.0f;
}
CULPRIT_INLINE double Clamp01(double x) {
  double low = x > 0.0 ? x : 0.0;
  return low < 1.0 ? low : 1.0;
}

CULPRIT_INLINE double Quiet(double x) {
  return Cast<double>(Cast<uint64_t>(x) | uint64_t{1} << 51);
}
// Of several NaN operands of double precision the second gives the result, and before it the third
// but not the first; what the host would give comes in as `x`.
CULPRIT_INLINE double LastNan(double b, double x) { return b != b ? Quiet(b) : x; }

template <bool kFtz, bool kSat>
CULPRIT_INLINE float Result(float x) {
  if (kFtz) x = Flush(x);
  return kSat ? Clamp01(x) : CanonicalNan(x);
}

// A result is subnormal, and flushed, when it is so before rounding.
template <bool kFtz, bool kSat>
CULPRIT_INLINE float Result(float x, double exact) {
  const bool tiny = (exact < 0x1p-126) & (exact > -0x1p-126);
  if (kFtz && tiny) x = Cast<float>(Cast<uint32_t>(x) & 0x80000000);
  return Result<kFtz, kSat>(x);
}
CULPRIT_INLINE double Wide(float x) { return static_cast<double>(x); }

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_FLOAT_BITS_H_
