// SPDX-License-Identifier: Apache-2.0
//
// Half precision and bf16 as single precision. The integer code has no branches, so it vectorises
// on any instruction set.
#ifndef FAKEDRIVER_EXEC_LANES_HALF_VALUE_H_
#define FAKEDRIVER_EXEC_LANES_HALF_VALUE_H_

#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {

// Scaling by 2^112 moves the exponent into place and makes subnormals normal.
CULPRIT_INLINE float FromHalf(uint16_t h) {
  uint32_t magnitude = static_cast<uint32_t>(h & 0x7fff) << 13;
  uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16;
  float scaled = Cast<float>(magnitude) * 0x1p112f;
  uint32_t finite = Cast<uint32_t>(scaled);
  uint32_t special = magnitude | 0x7f800000;
  return Cast<float>(sign | ((h & 0x7c00) == 0x7c00 ? special : finite));
}

// To nearest, ties to even; NaN becomes 0x7fff.
CULPRIT_INLINE uint16_t ToHalf(float f) {
  uint32_t bits = Cast<uint32_t>(f);
  uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  // The sum aligns the fraction of a subnormal result to 2^-24 and rounds it.
  uint32_t small = Cast<uint32_t>(Cast<float>(magnitude) + 0.5f) - 0x3f000000;
  uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  uint32_t finite = magnitude < 0x38800000 ? small : normal;
  uint32_t result = magnitude >= 0x47800000 ? 0x7c00 : finite;
  return static_cast<uint16_t>(magnitude > 0x7f800000 ? 0x7fff : sign | result);
}

CULPRIT_INLINE float FromBf16(uint16_t h) { return Cast<float>(static_cast<uint32_t>(h) << 16); }

CULPRIT_INLINE uint16_t ToBf16(float f) {
  uint32_t bits = Cast<uint32_t>(f);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded);
}

// Single precision rounded to odd: when the last bit is sticky, rounding once more gives what
// rounding once would.
CULPRIT_INLINE float ToOdd(double x) {
  float nearest = static_cast<float>(x);
  double back = static_cast<double>(nearest);
  uint32_t bits = Cast<uint32_t>(nearest);
  bool inexact = (back != x) & (x == x);
  // Towards zero first, then set the last bit.
  double magnitude_back = back < 0 ? -back : back;
  double magnitude_x = x < 0 ? -x : x;
  uint32_t truncated = magnitude_back > magnitude_x ? bits - 1 : bits;
  return Cast<float>(inexact ? truncated | 1 : bits);
}

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_HALF_VALUE_H_
