// SPDX-License-Identifier: Apache-2.0
//
// Order and sign of single and double precision.
#include "fakedriver/exec/lanes/float_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// NaN of single precision becomes the one NaN there is; that of double precision keeps its sign.
template <bool kFtz>
struct AbsF32 : F32 {
  static float Do(float a) {
    return CanonicalNan(Cast<float>(Cast<uint32_t>(Input<kFtz>(a)) & 0x7fffffff));
  }
};

template <bool kFtz>
struct NegF32 : F32 {
  static float Do(float a) {
    return CanonicalNan(Cast<float>(Cast<uint32_t>(Input<kFtz>(a)) ^ 0x80000000));
  }
};

struct AbsF64 : F64 {
  static double Do(double a) {
    return LastNan(a, Cast<double>(Cast<uint64_t>(a) & ~(uint64_t{1} << 63)));
  }
};

struct NegF64 : F64 {
  static double Do(double a) {
    return LastNan(a, Cast<double>(Cast<uint64_t>(a) ^ uint64_t{1} << 63));
  }
};

// A NaN gives way to the other operand unless .NaN asks for it; -0 is less than +0.
template <bool kMax, bool kFtz, bool kNan>
struct MinMaxF32 : F32 {
  static float Do(float a, float b) {
    a = Input<kFtz>(a);
    b = Input<kFtz>(b);
    uint32_t x = Cast<uint32_t>(a);
    uint32_t y = Cast<uint32_t>(b);
    float equal = Cast<float>(kMax ? x & y : x | y);
    float least = a < b ? (kMax ? b : a) : (kMax ? a : b);
    float ordered = a == b ? equal : least;
    float one_nan = a != a ? b : a;
    float nan = kNan ? Cast<float>(0x7fffffffu) : one_nan;
    return CanonicalNan(((a != a) | (b != b)) ? nan : ordered);
  }
};

template <bool kMax>
struct MinMaxF64 : F64 {
  static double Do(double a, double b) {
    uint64_t x = Cast<uint64_t>(a);
    uint64_t y = Cast<uint64_t>(b);
    double equal = Cast<double>(kMax ? x & y : x | y);
    double least = a < b ? (kMax ? b : a) : (kMax ? a : b);
    double ordered = a == b ? equal : least;
    double one_nan = a != a ? b : a;
    return ((a != a) | (b != b)) ? LastNan(one_nan, one_nan) : ordered;
  }
};

// |result| with the sign of the product of the operands.
template <bool kMax, bool kFtz, bool kNan>
struct MinMaxXorSign : F32 {
  static float Do(float a, float b) {
    uint32_t sign = (Cast<uint32_t>(a) ^ Cast<uint32_t>(b)) & 0x80000000;
    float result = MinMaxF32<kMax, kFtz, kNan>::Do(AbsF32<false>::Do(a), AbsF32<false>::Do(b));
    return result != result ? result : Cast<float>(Cast<uint32_t>(result) | sign);
  }
};

template <bool kMax, bool kFtz, bool kNan>
struct MinMax3F32 : F32 {
  static float Do(float a, float b, float c) {
    return MinMaxF32<kMax, kFtz, kNan>::Do(MinMaxF32<kMax, kFtz, kNan>::Do(a, b), c);
  }
};

struct CopysignF32 : F32 {
  static float Do(float a, float b) {
    return Cast<float>((Cast<uint32_t>(a) & 0x80000000) | (Cast<uint32_t>(b) & 0x7fffffff));
  }
};

struct CopysignF64 : F64 {
  static double Do(double a, double b) {
    constexpr uint64_t kSign = uint64_t{1} << 63;
    return Cast<double>((Cast<uint64_t>(a) & kSign) | (Cast<uint64_t>(b) & ~kSign));
  }
};

template <bool kMax>
void LowerMinMax(Lowering& lo) {
  Type type = lo.type();
  if (IsHalf(type)) return LowerHalf(lo);
  if (type == Type::kF64) return EmitBinary(lo, Binary<MinMaxF64<kMax>>, type, type);
  bool ftz = lo.Has(Modifier::kFtz);
  bool nan = lo.Has(Modifier::kNaN);
  if (lo.operand_count() == 4) {
    Handler handler =
        ftz ? (nan ? Ternary<MinMax3F32<kMax, true, true>> : Ternary<MinMax3F32<kMax, true, false>>)
            : (nan ? Ternary<MinMax3F32<kMax, false, true>>
                   : Ternary<MinMax3F32<kMax, false, false>>);
    return EmitTernary(lo, handler, type, type);
  }
  if (lo.Has(Modifier::kXorsign)) {
    Handler handler = ftz ? (nan ? Binary<MinMaxXorSign<kMax, true, true>>
                                 : Binary<MinMaxXorSign<kMax, true, false>>)
                          : (nan ? Binary<MinMaxXorSign<kMax, false, true>>
                                 : Binary<MinMaxXorSign<kMax, false, false>>);
    return EmitBinary(lo, handler, type, type);
  }
  Handler handler =
      ftz ? (nan ? Binary<MinMaxF32<kMax, true, true>> : Binary<MinMaxF32<kMax, true, false>>)
          : (nan ? Binary<MinMaxF32<kMax, false, true>> : Binary<MinMaxF32<kMax, false, false>>);
  EmitBinary(lo, handler, type, type);
}

}  // namespace

void LowerFloatAbs(Lowering& lo) {
  Type type = lo.type();
  if (IsHalf(type)) return LowerHalf(lo);
  EmitUnary(lo, type == Type::kF64 ? Unary<AbsF64> : CULPRIT_FTZ(Unary, AbsF32, lo), type, type);
}

void LowerFloatNeg(Lowering& lo) {
  Type type = lo.type();
  if (IsHalf(type)) return LowerHalf(lo);
  EmitUnary(lo, type == Type::kF64 ? Unary<NegF64> : CULPRIT_FTZ(Unary, NegF32, lo), type, type);
}

void LowerFloatMin(Lowering& lo) { LowerMinMax<false>(lo); }

void LowerFloatMax(Lowering& lo) { LowerMinMax<true>(lo); }

void LowerCopysign(Lowering& lo) {
  Type type = lo.type();
  EmitBinary(lo, type == Type::kF64 ? Binary<CopysignF64> : Binary<CopysignF32>, type, type);
}

}  // namespace culprit::exec::CULPRIT_LANES
