// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic that rounds towards zero, down or up: the host's rounding mode is changed for the
// length of one instruction. Operands are read from memory and results written to it between the
// two changes, which keeps the compiler from moving the arithmetic out.
#include <cfenv>

#include "fakedriver/exec/lanes/float_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <bool kFtz, bool kSat>
struct AddF32 : F32 {
  static float Do(float a, float b, float) {
    return Result<kFtz, kSat>(Input<kFtz>(a) + Input<kFtz>(b));
  }
};
template <bool kFtz, bool kSat>
struct SubF32 : F32 {
  static float Do(float a, float b, float) {
    return Result<kFtz, kSat>(Input<kFtz>(a) - Input<kFtz>(b));
  }
};
template <bool kFtz, bool kSat>
struct MulF32 : F32 {
  static float Do(float a, float b, float) {
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
template <bool kFtz, bool>
struct DivF32 : F32 {
  static float Do(float a, float b, float) {
    a = Input<kFtz>(a);
    b = Input<kFtz>(b);
    return kFtz ? Result<kFtz, false>(a / b, Wide(a) / Wide(b)) : Result<kFtz, false>(a / b);
  }
};
template <bool kFtz, bool>
struct SqrtF32 : F32 {
  static float Do(float a, float, float) {
    return Result<kFtz, false>(__builtin_sqrtf(Input<kFtz>(a)));
  }
};
template <bool kFtz, bool>
struct RcpF32 : F32 {
  static float Do(float a, float, float) { return Result<kFtz, false>(1.0f / Input<kFtz>(a)); }
};
struct AddF64 : F64 {
  static double Do(double a, double b, double) { return LastNan(b, a + b); }
};
struct SubF64 : F64 {
  static double Do(double a, double b, double) { return LastNan(b, a - b); }
};
struct MulF64 : F64 {
  static double Do(double a, double b, double) { return LastNan(b, a * b); }
};
struct FmaF64 : F64 {
  static double Do(double a, double b, double c) {
    return LastNan(b, LastNan(c, __builtin_fma(a, b, c)));
  }
};
struct DivF64 : F64 {
  static double Do(double a, double b, double) { return a / b; }
};
struct SqrtF64 : F64 {
  static double Do(double a, double, double) { return __builtin_sqrt(a); }
};
struct RcpF64 : F64 {
  static double Do(double a, double, double) { return 1.0 / a; }
};

// The mode is in `extra`.
template <typename Op>
const Instruction* Rounded(Warp& w, const Instruction* i) {
  using T = typename Op::In;
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  const T* c = Lanes<T>(w, i->c);
  T* d = Lanes<T>(w, i->d);
  fesetround(static_cast<int>(i->extra));
  Assign(w, d, [=](uint32_t l) { return Op::Do(a[l], b[l], c[l]); });
  fesetround(FE_TONEAREST);
  return i + 1;
}

#define CULPRIT_ROUNDED(op)                                                                  \
  (type == Type::kF64 ? Rounded<op##F64>                                                     \
   : ftz              ? (sat ? Rounded<op##F32<true, true>> : Rounded<op##F32<true, false>>) \
                      : (sat ? Rounded<op##F32<false, true>> : Rounded<op##F32<false, false>>))

}  // namespace

bool LowerRounded(Lowering& lo) {
  int mode = FE_TONEAREST;
  if (lo.Has(Modifier::kRz)) mode = FE_TOWARDZERO;
  if (lo.Has(Modifier::kRm)) mode = FE_DOWNWARD;
  if (lo.Has(Modifier::kRp)) mode = FE_UPWARD;
  if (mode == FE_TONEAREST) return false;
  Type type = lo.type();
  bool ftz = lo.Has(Modifier::kFtz);
  bool sat = lo.Has(Modifier::kSat);
  if (type != Type::kF32 && type != Type::kF64)
    lo.Fail("this rounding mode is not supported for the type");
  Handler handler = nullptr;
  switch (lo.text().opcode) {
    case Opcode::kAdd:
      handler = CULPRIT_ROUNDED(Add);
      break;
    case Opcode::kSub:
      handler = CULPRIT_ROUNDED(Sub);
      break;
    case Opcode::kMul:
      handler = CULPRIT_ROUNDED(Mul);
      break;
    case Opcode::kMad:
    case Opcode::kFma:
      handler = CULPRIT_ROUNDED(Fma);
      break;
    case Opcode::kDiv:
      handler = CULPRIT_ROUNDED(Div);
      break;
    case Opcode::kSqrt:
      handler = CULPRIT_ROUNDED(Sqrt);
      break;
    default:
      handler = CULPRIT_ROUNDED(Rcp);
      break;
  }
  Place a = lo.Read(1, type);
  Place b = lo.operand_count() > 2 ? lo.Read(2, type) : a;
  Place c = lo.operand_count() > 3 ? lo.Read(3, type) : a;
  Place d = lo.Write(0, type);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.extra = static_cast<uint32_t>(mode);
  return true;
}

}  // namespace culprit::exec::CULPRIT_LANES
