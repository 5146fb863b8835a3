// SPDX-License-Identifier: Apache-2.0
//
// The approximate functions: what the vendor's compiler puts around the unit (special_functions.h)
// for each form, bit for bit as an H200 computes.
#include "fakedriver/exec/lanes/special_functions.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

struct F32 {
  using In = float;
  using Out = float;
};
struct F64 {
  using In = double;
  using Out = double;
};

constexpr float kScale = 0x1p24f;  // brings subnormal arguments into the unit's range

CULPRIT_INLINE bool IsSmall(float a) { return !(__builtin_fabsf(a) >= 0x1p-126f); }

template <uint32_t (*kUnit)(uint32_t)>
CULPRIT_INLINE float Unit(float a) {
  return Cast<float>(kUnit(Cast<uint32_t>(a)));
}

// The argument, when small, times 2^24, and the result times what undoes it.
template <uint32_t (*kUnit)(uint32_t)>
CULPRIT_INLINE float Scaled(float a, float undo) {
  const bool small = IsSmall(a);
  const float result = Unit<kUnit>(small ? a * kScale : a);
  return CanonicalNan(small ? result * undo : result);
}

template <bool kFtz>
struct Rcp : F32 {
  static float Do(float a) {
    if (kFtz) return Unit<UnitRcp>(a);
    const float scale = __builtin_fabsf(a) > 0x1p126f ? 0.25f : IsSmall(a) ? kScale : 1.0f;
    return CanonicalNan(Unit<UnitRcp>(a * scale) * scale);
  }
};
template <bool kFtz>
struct Sqrt : F32 {
  static float Do(float a) { return kFtz ? Unit<UnitSqrt>(a) : Scaled<UnitSqrt>(a, 0x1p-12f); }
};
template <bool kFtz>
struct Rsqrt : F32 {
  static float Do(float a) { return kFtz ? Unit<UnitRsqrt>(a) : Scaled<UnitRsqrt>(a, 0x1p12f); }
};
// .approx scales small divisors, .full large ones too.
template <bool kFtz>
struct Div : F32 {
  static float Do(float a, float b) {
    if (kFtz) {
      a = Flush(a);
      const float reciprocal = Unit<UnitRcp>(b);
      return FlushedResult(a * reciprocal, Wide(a) * Wide(reciprocal));
    }
    const float scale = IsSmall(b) ? kScale : 1.0f;
    return CanonicalNan(Unit<UnitRcp>(b * scale) * (a * scale));
  }
};
template <bool kFtz>
struct FullDiv : F32 {
  static float Do(float a, float b) {
    const bool large = __builtin_fabsf(b) > 0x1p126f;
    const float scale = large ? 0.25f : !kFtz && IsSmall(b) ? kScale : 1.0f;
    if (kFtz) {
      a = Flush(Flush(a) * scale);
      const float reciprocal = Unit<UnitRcp>(b * scale);
      return FlushedResult(a * reciprocal, Wide(a) * Wide(reciprocal));
    }
    return CanonicalNan(Unit<UnitRcp>(b * scale) * (a * scale));
  }
};

// Radians to turns, rounded towards zero.
CULPRIT_INLINE float Turns(float a) {
  constexpr float kPerRadian = 0.15915493667125701904f;
  const double exact = Wide(a) * Wide(kPerRadian);
  const float nearest = static_cast<float>(exact);
  const bool away = __builtin_fabs(Wide(nearest)) > __builtin_fabs(exact);
  return away ? Cast<float>(Cast<uint32_t>(nearest) - 1) : nearest;
}
template <bool kFtz>
struct Sin : F32 {
  static float Do(float a) { return Unit<UnitSinCos<false>>(Turns(a)); }
};
template <bool kFtz>
struct Cos : F32 {
  static float Do(float a) { return Unit<UnitSinCos<true>>(Turns(a)); }
};
template <bool kFtz>
struct Lg2 : F32 {
  static float Do(float a) {
    if (kFtz) return Unit<UnitLg2>(a);
    const bool small = IsSmall(a);
    const float result = Unit<UnitLg2>(small ? a * kScale : a);
    return CanonicalNan(small ? result - 24.0f : result);
  }
};
template <bool kFtz>
struct Ex2 : F32 {
  static float Do(float a) {
    if (kFtz) return Unit<UnitEx2>(a);
    const bool small = !(a >= -126.0f);
    const float result = Unit<UnitEx2>(small ? a * 0.5f : a);
    return CanonicalNan(small ? result * result : result);
  }
};
struct Tanh : F32 {
  static float Do(float a) { return Unit<UnitTanh>(a); }
};

// The 64-bit forms look at the upper word only and give an upper word only; subnormals count as
// zeros. The unit's result keeps 20 digits of its fraction.
CULPRIT_INLINE double FromUpper(uint32_t upper) { return Cast<double>(uint64_t{upper} << 32); }
CULPRIT_INLINE uint32_t ShortFraction(const Piece* pieces, uint32_t fraction) {
  return static_cast<uint32_t>(Interpolate(pieces[fraction >> 14], (fraction & 0x3fff) << 3) >> 38);
}
CULPRIT_INLINE uint32_t AssembleUpper(uint32_t fraction, int32_t exponent) {
  const int32_t bits = exponent * (1 << 20) + static_cast<int32_t>(fraction) - (1 << 20);
  return bits < (1 << 20) ? 0 : static_cast<uint32_t>(bits);
}
constexpr uint32_t kUpperInfinity = 0x7ff00000;
constexpr uint32_t kUpperNan = 0x7fffffff;

struct RcpF64 : F64 {
  static double Do(double a) {
    const uint32_t x = static_cast<uint32_t>(Cast<uint64_t>(a) >> 32);
    const uint32_t magnitude = x & ~kSign;
    const uint32_t sign = x & kSign;
    if (magnitude > kUpperInfinity) return FromUpper(kUpperNan);
    if (magnitude < 0x00100000) return FromUpper(sign | kUpperInfinity);
    if (magnitude == kUpperInfinity) return FromUpper(sign);
    const uint32_t fraction = x & 0xfffff;
    const uint32_t y = static_cast<uint32_t>(
        Interpolate(kRcpPieces[fraction >> 13], (fraction & 0x1fff) << 4) >> 38);
    return FromUpper(sign | AssembleUpper(y, 2045 - static_cast<int32_t>(magnitude >> 20)));
  }
};
struct RsqrtF64 : F64 {
  static double Do(double a) {
    const uint32_t x = static_cast<uint32_t>(Cast<uint64_t>(a) >> 32);
    const uint32_t magnitude = x & ~kSign;
    if (magnitude > kUpperInfinity) return FromUpper(kUpperNan);
    if (magnitude < 0x00100000) return FromUpper((x & kSign) | kUpperInfinity);
    if ((x & kSign) != 0) return FromUpper(kUpperNan);
    if (magnitude == kUpperInfinity) return 0;
    const int32_t exponent = static_cast<int32_t>(x >> 20) - 1023;
    const uint32_t fraction = x & 0xfffff;
    const bool odd = (exponent & 1) != 0;
    uint32_t y =
        odd ? ShortFraction(kRsqrtOddPieces, fraction) : ShortFraction(kRsqrtPieces, fraction);
    if (!odd && fraction == 0) y = 1 << 21;
    return FromUpper(AssembleUpper(y, 1022 - (exponent >> 1)));
  }
};

// Without .ftz one step of an iteration of the third order follows, on arguments made normal.
struct FullRsqrtF64 : F64 {
  static double Do(double a) {
    if (a != a) return Quiet(a);
    if (a < 0) return Cast<double>(uint64_t{0xfff80000} << 32);
    const bool small = a < 0x1p-1022;
    const double x = small ? a * 0x1p54 : a;
    const double y = RsqrtF64::Do(x);
    if (a == 0 || y == 0) return y;
    const double error = __builtin_fma(-x, y * y, 1.0);
    const double better = __builtin_fma(__builtin_fma(error, 0.375, 0.5), y * error, y);
    return small ? better * 0x1p27 : better;
  }
};

template <bool kFtz>
struct RsqrtOfF64 : F64 {
  static double Do(double a) { return kFtz ? RsqrtF64::Do(a) : FullRsqrtF64::Do(a); }
};

#define CULPRIT_FTZ(shape, op) (lo.Has(Modifier::kFtz) ? shape<op<true>> : shape<op<false>>)

}  // namespace

void LowerApproximate(Lowering& lo) {
  Type type = lo.type();
  switch (lo.text().opcode) {
    case Opcode::kDiv:
      return EmitBinary(
          lo, lo.Has(Modifier::kFull) ? CULPRIT_FTZ(Binary, FullDiv) : CULPRIT_FTZ(Binary, Div),
          type, type);
    case Opcode::kRcp:
      return EmitUnary(lo, type == Type::kF64 ? UnaryEach<RcpF64> : CULPRIT_FTZ(Unary, Rcp), type,
                       type);
    case Opcode::kSqrt:
      return EmitUnary(lo, type == Type::kF32 ? CULPRIT_FTZ(Unary, Sqrt) : nullptr, type, type);
    default:
      if (type == Type::kF64) {
        return EmitUnary(lo, CULPRIT_FTZ(UnaryEach, RsqrtOfF64), type, type);
      }
      return EmitUnary(lo, CULPRIT_FTZ(Unary, Rsqrt), type, type);
  }
}

void LowerRsqrt(Lowering& lo) { LowerApproximate(lo); }
void LowerSin(Lowering& lo) { EmitUnary(lo, CULPRIT_FTZ(UnaryEach, Sin), lo.type(), lo.type()); }
void LowerCos(Lowering& lo) { EmitUnary(lo, CULPRIT_FTZ(UnaryEach, Cos), lo.type(), lo.type()); }
void LowerLg2(Lowering& lo) { EmitUnary(lo, CULPRIT_FTZ(UnaryEach, Lg2), lo.type(), lo.type()); }

void LowerEx2(Lowering& lo) {
  if (lo.type() != Type::kF32) return LowerHalf(lo);
  EmitUnary(lo, CULPRIT_FTZ(UnaryEach, Ex2), lo.type(), lo.type());
}

void LowerTanh(Lowering& lo) {
  if (lo.type() != Type::kF32) return LowerHalf(lo);
  EmitUnary(lo, UnaryEach<Tanh>, lo.type(), lo.type());
}

}  // namespace culprit::exec::CULPRIT_LANES
