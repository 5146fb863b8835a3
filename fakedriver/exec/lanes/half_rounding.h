// SPDX-License-Identifier: Apache-2.0
//
// Double precision to half precision and bf16 in every rounding mode.
#ifndef FAKEDRIVER_EXEC_LANES_HALF_ROUNDING_H_
#define FAKEDRIVER_EXEC_LANES_HALF_ROUNDING_H_

#include "fakedriver/exec/lanes/float_bits.h"
#include "fakedriver/exec/lanes/half_value.h"

namespace culprit::exec::CULPRIT_LANES {

// What a conversion is asked for besides rounding.
enum ConversionFlags : uint32_t { kFtz = 1, kSat = 2, kRelu = 4, kSatFinite = 8, kFromDouble = 16 };

// A NaN of double precision keeps its sign and payload, shortened.
CULPRIT_INLINE uint16_t ShortNan(double x, bool bf16) {
  uint32_t bits = Cast<uint32_t>(static_cast<float>(x));
  return static_cast<uint16_t>(bf16 ? bits >> 16
                                    : (bits >> 16 & 0x8000) | 0x7c00 | (bits >> 13 & 0x3ff));
}

// A half nearest to x was found; the directed modes step from it.
enum class Direction : int64_t { kNearest, kZero, kDown, kUp };
template <bool kBf16>
CULPRIT_INLINE uint16_t ToHalfDirected(double x, Direction direction, uint32_t flags) {
  if ((flags & kSat) != 0) x = Clamp01(x);
  if ((flags & kRelu) != 0 && x <= 0.0) x = 0.0;
  float odd = ToOdd(x);
  uint16_t h = kBf16 ? ToBf16(odd) : ToHalf(odd);
  if (x != x) return (flags & kFromDouble) != 0 ? ShortNan(x, kBf16) : 0x7fff;
  double back = static_cast<double>(kBf16 ? FromBf16(h) : FromHalf(h));
  bool negative = (h & 0x8000) != 0;
  bool too_high = back > x;
  bool too_low = back < x;
  if (direction == Direction::kZero) {
    if (negative ? too_low : too_high) --h;
  } else if (direction == Direction::kDown && too_high) {
    h = static_cast<uint16_t>(negative ? h + 1 : (h == 0 ? 0x8001 : h - 1));
  } else if (direction == Direction::kUp && too_low) {
    h = static_cast<uint16_t>(negative ? (h == 0x8000 ? 0x0001 : h - 1) : h + 1);
  }
  constexpr uint16_t kInfinity = kBf16 ? 0x7f80 : 0x7c00;
  if ((flags & kSatFinite) != 0 && (h & 0x7fff) == kInfinity) --h;
  return h;
}

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_HALF_ROUNDING_H_
