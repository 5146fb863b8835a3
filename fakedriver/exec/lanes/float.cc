// SPDX-License-Identifier: Apache-2.0
//
// Single and double precision, rounding to nearest. The other rounding modes are in
// float_rounding.cc, half precision in half.cc, approximations in approximate.cc.
#include "fakedriver/exec/lanes/float_bits.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

struct F32 {
  using In = float;
  using Third = float;
  using Out = float;
};
struct F64 {
  using In = double;
  using Third = double;
  using Out = double;
};

template <bool kFtz, bool kSat>
struct AddF32 : F32 {
  static float Do(float a, float b) { return Result<kFtz, kSat>(Input<kFtz>(a) + Input<kFtz>(b)); }
};
template <bool kFtz, bool kSat>
struct SubF32 : F32 {
  static float Do(float a, float b) { return Result<kFtz, kSat>(Input<kFtz>(a) - Input<kFtz>(b)); }
};
template <bool kFtz, bool kSat>
struct MulF32 : F32 {
  static float Do(float a, float b) {
    a = Input<kFtz>(a);
    b = Input<kFtz>(b);
    return kFtz ? Result<kFtz, kSat>(a * b, Wide(a) * Wide(b)) : Result<kFtz, kSat>(a * b);
  }
};
template <bool kFtz, bool kSat>
struct FmaF32 : F32 {
  static float Do(float a, float b, float c) {
    return Result<kFtz, kSat>(__builtin_fmaf(Input<kFtz>(a), Input<kFtz>(b), Input<kFtz>(c)));
  }
};
template <bool kFtz>
struct DivF32 : F32 {
  static float Do(float a, float b) {
    a = Input<kFtz>(a);
    b = Input<kFtz>(b);
    return kFtz ? Result<kFtz, false>(a / b, Wide(a) / Wide(b)) : Result<kFtz, false>(a / b);
  }
};
template <bool kFtz>
struct SqrtF32 : F32 {
  static float Do(float a) { return Result<kFtz, false>(__builtin_sqrtf(Input<kFtz>(a))); }
};
template <bool kFtz>
struct RcpF32 : F32 {
  static float Do(float a) { return Result<kFtz, false>(1.0f / Input<kFtz>(a)); }
};
struct AddF64 : F64 {
  static double Do(double a, double b) { return LastNan(b, a + b); }
};
struct SubF64 : F64 {
  static double Do(double a, double b) { return LastNan(b, a - b); }
};
struct MulF64 : F64 {
  static double Do(double a, double b) { return LastNan(b, a * b); }
};
struct FmaF64 : F64 {
  static double Do(double a, double b, double c) {
    return LastNan(b, LastNan(c, __builtin_fma(a, b, c)));
  }
};
struct DivF64 : F64 {
  static double Do(double a, double b) { return a / b; }
};
struct SqrtF64 : F64 {
  static double Do(double a) { return __builtin_sqrt(a); }
};
struct RcpF64 : F64 {
  static double Do(double a) { return 1.0 / a; }
};

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
    return CanonicalNan((a != a) | (b != b) ? nan : ordered);
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
    return (a != a) | (b != b) ? LastNan(one_nan, one_nan) : ordered;
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

// Both halves of a 64-bit register.
template <typename Op>
const Instruction* PackedF32(Warp& w, const Instruction* i) {
  const float* a = Lanes<float>(w, i->a);
  const float* b = Lanes<float>(w, i->b);
  const float* c = Lanes<float>(w, i->c);
  float* d = Lanes<float>(w, i->d);
  for (uint32_t mask = w.mask; mask != 0; mask &= mask - 1) {
    uint32_t l = static_cast<uint32_t>(__builtin_ctz(mask));
    for (uint32_t half = 2 * l; half < 2 * l + 2; ++half)
      d[half] = Op::Do(a[half], b[half], c[half]);
  }
  return i + 1;
}
template <bool kFtz>
struct Add3 {
  static float Do(float a, float b, float) { return AddF32<kFtz, false>::Do(a, b); }
};
template <bool kFtz>
struct Sub3 {
  static float Do(float a, float b, float) { return SubF32<kFtz, false>::Do(a, b); }
};
template <bool kFtz>
struct Mul3 {
  static float Do(float a, float b, float) { return MulF32<kFtz, false>::Do(a, b); }
};

bool IsHalf(Type type) {
  return type == Type::kF16 || type == Type::kF16x2 || type == Type::kBf16 || type == Type::kBf16x2;
}

#define CULPRIT_FTZ_SAT(shape, op, lo)                                             \
  (lo.Has(Modifier::kFtz)                                                          \
       ? (lo.Has(Modifier::kSat) ? shape<op<true, true>> : shape<op<true, false>>) \
       : (lo.Has(Modifier::kSat) ? shape<op<false, true>> : shape<op<false, false>>))
#define CULPRIT_FTZ(shape, op, lo) (lo.Has(Modifier::kFtz) ? shape<op<true>> : shape<op<false>>)

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

void LowerFloatAdd(Lowering& lo) {
  Type type = lo.type();
  if (IsHalf(type)) return LowerHalf(lo);
  if (LowerRounded(lo)) return;
  if (type == Type::kF32x2) return EmitBinary(lo, CULPRIT_FTZ(PackedF32, Add3, lo), type, type);
  EmitBinary(lo, type == Type::kF64 ? Binary<AddF64> : CULPRIT_FTZ_SAT(Binary, AddF32, lo), type,
             type);
}

void LowerFloatSub(Lowering& lo) {
  Type type = lo.type();
  if (IsHalf(type)) return LowerHalf(lo);
  if (LowerRounded(lo)) return;
  if (type == Type::kF32x2) return EmitBinary(lo, CULPRIT_FTZ(PackedF32, Sub3, lo), type, type);
  EmitBinary(lo, type == Type::kF64 ? Binary<SubF64> : CULPRIT_FTZ_SAT(Binary, SubF32, lo), type,
             type);
}

void LowerFloatMul(Lowering& lo) {
  Type type = lo.type();
  if (IsHalf(type)) return LowerHalf(lo);
  if (LowerRounded(lo)) return;
  if (type == Type::kF32x2) return EmitBinary(lo, CULPRIT_FTZ(PackedF32, Mul3, lo), type, type);
  EmitBinary(lo, type == Type::kF64 ? Binary<MulF64> : CULPRIT_FTZ_SAT(Binary, MulF32, lo), type,
             type);
}

// fma, and mad of floating types.
void LowerFma(Lowering& lo) {
  Type type = lo.type();
  if (IsHalf(type)) return LowerHalf(lo);
  if (LowerRounded(lo)) return;
  if (type == Type::kF32x2) {
    return EmitTernary(
        lo,
        lo.Has(Modifier::kFtz) ? PackedF32<FmaF32<true, false>> : PackedF32<FmaF32<false, false>>,
        type, type);
  }
  EmitTernary(lo, type == Type::kF64 ? Ternary<FmaF64> : CULPRIT_FTZ_SAT(Ternary, FmaF32, lo), type,
              type);
}

void LowerFloatDiv(Lowering& lo) {
  Type type = lo.type();
  if (lo.Has(Modifier::kApprox) || lo.Has(Modifier::kFull)) return LowerApproximate(lo);
  if (LowerRounded(lo)) return;
  EmitBinary(lo, type == Type::kF64 ? Binary<DivF64> : CULPRIT_FTZ(Binary, DivF32, lo), type, type);
}

void LowerSqrt(Lowering& lo) {
  Type type = lo.type();
  if (lo.Has(Modifier::kApprox)) return LowerApproximate(lo);
  if (LowerRounded(lo)) return;
  EmitUnary(lo, type == Type::kF64 ? Unary<SqrtF64> : CULPRIT_FTZ(Unary, SqrtF32, lo), type, type);
}

void LowerRcp(Lowering& lo) {
  Type type = lo.type();
  if (lo.Has(Modifier::kApprox)) return LowerApproximate(lo);
  if (LowerRounded(lo)) return;
  EmitUnary(lo, type == Type::kF64 ? Unary<RcpF64> : CULPRIT_FTZ(Unary, RcpF32, lo), type, type);
}

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
