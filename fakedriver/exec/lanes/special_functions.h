// SPDX-License-Identifier: Apache-2.0
//
// The unit for approximate functions, as an H200 computes: a table of pieces, chosen by the upper
// bits of the argument, and in each a quadratic in the lower bits, in fixed point, cut off and not
// rounded. The square is itself cut short: digit products below 2^19 are left out. Subnormal
// arguments and results count as zeros here; the forms without .ftz scale around the unit
// (approximate.cc).
#ifndef FAKEDRIVER_EXEC_LANES_SPECIAL_FUNCTIONS_H_
#define FAKEDRIVER_EXEC_LANES_SPECIAL_FUNCTIONS_H_

#include "fakedriver/exec/lanes/approximation_tables.h"
#include "fakedriver/exec/lanes/float_bits.h"

namespace culprit::exec::CULPRIT_LANES {

// A result is subnormal, and flushed, when it is so before rounding.
CULPRIT_INLINE float FlushedResult(float x, double exact) {
  const bool tiny = (exact < 0x1p-126) & (exact > -0x1p-126);
  return CanonicalNan(tiny ? Cast<float>(Cast<uint32_t>(x) & 0x80000000) : x);
}

inline constexpr uint32_t kSign = 0x80000000;
inline constexpr uint32_t kInfinity = 0x7f800000;
inline constexpr uint32_t kNanBits = 0x7fffffff;
inline constexpr uint32_t kStep = 17;  // bits of an argument inside its piece

// The upper 15 bits of t squared, t below 2^17, from the digit products of weight 2^19 and more.
CULPRIT_INLINE int64_t ShortSquare(uint32_t t) {
  uint32_t square = 0;
  for (uint32_t i = 0; i < kStep; ++i) {
    // t_i t_j for j above i, twice, and t_i itself.
    const uint32_t low = i + 1 > 18 - i ? i + 1 : 18 - i;
    const uint32_t pairs = low < kStep ? t >> low << (low + i + 1 - 19) : 0;
    const uint32_t own = 2 * i >= 19 ? 1u << (2 * i - 19) : 0;
    square += (t >> i & 1) != 0 ? pairs + own : 0;
  }
  return static_cast<int64_t>(square);
}

// In last digits of a 24-bit fraction, with 35 bits after the point.
CULPRIT_INLINE int64_t Interpolate(const Piece& piece, uint32_t t) {
  return piece.value * (int64_t{1} << 15) + int64_t{piece.slope} * (int64_t{t} << 18) +
         int64_t{piece.curve} * (ShortSquare(t) << 19);
}
// The same for one of 64 pieces of a fraction of 23 bits.
CULPRIT_INLINE uint32_t Fraction(const Piece* pieces, uint32_t fraction) {
  return static_cast<uint32_t>(Interpolate(pieces[fraction >> kStep], fraction & 0x1ffff) >> 35);
}

// A fraction of 24 bits, leading one included, with the given exponent; zero when subnormal.
CULPRIT_INLINE uint32_t Assemble(uint32_t fraction, int32_t exponent) {
  const int32_t bits = exponent * (1 << 23) + static_cast<int32_t>(fraction) - (1 << 23);
  return bits < (1 << 23) ? 0 : static_cast<uint32_t>(bits);
}

CULPRIT_INLINE uint32_t UnitRcp(uint32_t x) {
  const uint32_t sign = x & kSign;
  const uint32_t magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNanBits;
  if (magnitude < 0x00800000) return sign | kInfinity;
  if (magnitude == kInfinity) return sign;
  const uint32_t y =
      static_cast<uint32_t>(Interpolate(kRcpPieces[x >> 16 & 0x7f], (x & 0xffff) << 1) >> 35);
  return sign | Assemble(y, 253 - static_cast<int32_t>(magnitude >> 23));
}

CULPRIT_INLINE uint32_t UnitRsqrt(uint32_t x) {
  const uint32_t magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNanBits;
  if (magnitude < 0x00800000) return (x & kSign) | kInfinity;
  if ((x & kSign) != 0) return kNanBits;
  if (magnitude == kInfinity) return 0;
  const int32_t exponent = static_cast<int32_t>(x >> 23) - 127;
  const uint32_t fraction = x & 0x7fffff;
  const bool odd = (exponent & 1) != 0;
  uint32_t y = odd ? Fraction(kRsqrtOddPieces, fraction) : Fraction(kRsqrtPieces, fraction);
  if (!odd && fraction == 0) y = 1 << 24;
  return Assemble(y, 126 - (exponent >> 1));
}

CULPRIT_INLINE uint32_t UnitSqrt(uint32_t x) {
  const uint32_t magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNanBits;
  if (magnitude < 0x00800000) return x & kSign;
  if ((x & kSign) != 0) return kNanBits;
  if (magnitude == kInfinity) return kInfinity;
  const int32_t exponent = static_cast<int32_t>(x >> 23) - 127;
  const uint32_t fraction = x & 0x7fffff;
  const uint32_t y =
      (exponent & 1) != 0 ? Fraction(kSqrtOddPieces, fraction) : Fraction(kSqrtPieces, fraction);
  return Assemble(y, 127 + (exponent >> 1));
}

// 23 bits after the point. A negative argument is the complement of its magnitude, but exact when
// it is whole.
CULPRIT_INLINE uint32_t UnitEx2(uint32_t x) {
  const uint32_t magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNanBits;
  if (magnitude >= 0x43800000) return (x & kSign) != 0 ? 0 : kInfinity;
  const int32_t shift = static_cast<int32_t>(magnitude >> 23) - 127;
  const uint32_t digits = (magnitude & 0x7fffff) | 0x800000;
  const uint32_t fixed = shift >= 0 ? digits << shift : shift < -24 ? 0 : digits >> -shift;
  const bool complement = (x & kSign) != 0 && (fixed & 0x7fffff) != 0;
  const uint32_t negated = complement ? ~fixed : 0u - fixed;
  const int32_t point = static_cast<int32_t>((x & kSign) != 0 ? negated : fixed);
  const int32_t whole = point >> 23;
  if (whole >= 128) return kInfinity;
  return Assemble(Fraction(kEx2Pieces, static_cast<uint32_t>(point) & 0x7fffff), 127 + whole);
}

CULPRIT_INLINE uint32_t UnitLg2(uint32_t x) {
  const uint32_t magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNanBits;
  if (magnitude < 0x00800000) return kSign | kInfinity;
  if ((x & kSign) != 0) return kNanBits;
  if (magnitude == kInfinity) return kInfinity;
  if (x == 0x3f800000) return 0;
  const int64_t whole = static_cast<int64_t>(x >> 23) - 127;
  const uint32_t fraction = x & 0x7fffff;
  const Piece& piece = kLg2Pieces[fraction >> kStep];
  const uint32_t t = fraction & 0x1ffff;
  const int64_t part =
      piece.value + int64_t{piece.slope} * t + int64_t{piece.curve} * ShortSquare(t);
  const int64_t value = whole * (int64_t{1} << 38) + part;
  const bool negative = whole < 0;
  uint64_t digits = static_cast<uint64_t>(negative ? ~value : value);
  digits &= ~uint64_t{3};
  if (digits == 0) return negative ? kSign : 0;
  const int32_t top = 63 - __builtin_clzll(digits);
  const uint32_t y = static_cast<uint32_t>(top >= 23 ? digits >> (top - 23) : digits << (23 - top));
  return (negative ? kSign : 0) | Assemble(y, 127 + top - 38);
}

// The argument is in turns; its phase has 25 bits after the point. Quarters are mirrored by
// complement.
template <bool kCosine>
CULPRIT_INLINE uint32_t UnitSinCos(uint32_t x) {
  const uint32_t magnitude = x & ~kSign;
  if (magnitude >= kInfinity) return kNanBits;
  const int32_t shift = static_cast<int32_t>(magnitude >> 23) - 125;
  const uint32_t digits = magnitude < 0x00800000 ? 0 : (magnitude & 0x7fffff) | 0x800000;
  uint32_t phase = shift >= 32   ? 0
                   : shift >= 0  ? digits << shift
                   : shift < -24 ? 0
                                 : digits >> -shift;
  if (kCosine) phase += 1u << 23;
  const bool mirrored = (phase >> 23 & 1) != 0;
  const bool below = ((phase >> 24 & 1) != 0) != (!kCosine && (x & kSign) != 0);
  const uint32_t quarter = (mirrored ? ~phase : phase) & 0x7fffff;
  const int64_t value = Interpolate(kSinPieces[quarter >> kStep], quarter & 0x1ffff);
  const uint64_t bits = value <= 0 ? 0 : static_cast<uint64_t>(value);
  if (bits == 0) return below ? kSign : 0;
  const int32_t top = 63 - __builtin_clzll(bits);
  const uint32_t y = static_cast<uint32_t>(top >= 23 ? bits >> (top - 23) : bits << (23 - top));
  return (below ? kSign : 0) | Assemble(y, 127 + top - 59);
}

struct TanhExponent {
  uint8_t first;  // piece
  uint8_t bits;   // of an argument that choose among the pieces
};
inline constexpr TanhExponent kTanhExponents[] = {
    {0, 0}, {1, 0}, {2, 0}, {3, 1}, {5, 1}, {7, 2}, {11, 2}, {15, 2}, {19, 3}, {27, 4}, {43, 3}};

// Below 2^-8 the argument itself, from 8 on 1. The pieces of an exponent divide it evenly; an
// argument's place in its piece has 17 bits.
CULPRIT_INLINE uint32_t UnitTanh(uint32_t x) {
  const uint32_t magnitude = x & ~kSign;
  if (magnitude > kInfinity) return kNanBits;
  if (magnitude < 0x3b800000) return x;
  if (magnitude >= 0x41000000) return (x & kSign) | 0x3f800000;
  const TanhExponent exponent = kTanhExponents[(magnitude >> 23) - 119];
  const uint32_t fraction = x & 0x7fffff;
  const uint32_t piece = exponent.first + (fraction >> (23 - exponent.bits));
  const uint32_t t = (fraction << exponent.bits & 0x7fffff) >> 6;
  const uint64_t value = static_cast<uint64_t>(Interpolate(kTanhPieces[piece], t));
  const int32_t top = 63 - __builtin_clzll(value);
  return (x & kSign) | Assemble(static_cast<uint32_t>(value >> (top - 23)), 127 + top - 59);
}

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_SPECIAL_FUNCTIONS_H_
