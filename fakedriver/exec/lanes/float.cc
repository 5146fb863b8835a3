// SPDX-License-Identifier: Apache-2.0
//
// Single and double precision, rounding to nearest. The other rounding modes are in
// float_rounding.cc, order and sign in float_order.cc, half precision in half.cc, approximations in
// approximate.cc.
#include "fakedriver/exec/lanes/float_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

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

}  // namespace culprit::exec::CULPRIT_LANES
