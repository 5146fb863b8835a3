// SPDX-License-Identifier: Apache-2.0
//
// The approximate units. Results here are those of double precision rounded once, which is inside
// the error that the PTX ISA allows for each; a device's own last bit may differ
// (docs/limitations.md).
#include <cmath>

#include "fakedriver/exec/lanes/float_bits.h"

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

template <bool kFtz>
struct Rcp : F32 {
  static float Do(float a) { return Result<kFtz, false>(1.0f / Input<kFtz>(a)); }
};
template <bool kFtz>
struct Sqrt : F32 {
  static float Do(float a) { return Result<kFtz, false>(__builtin_sqrtf(Input<kFtz>(a))); }
};
template <bool kFtz>
struct Rsqrt : F32 {
  static float Do(float a) {
    return Result<kFtz, false>(
        static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(Input<kFtz>(a)))));
  }
};
template <bool kFtz>
struct Div : F32 {
  static float Do(float a, float b) { return Result<kFtz, false>(Input<kFtz>(a) / Input<kFtz>(b)); }
};
template <bool kFtz>
struct Sin : F32 {
  static float Do(float a) {
    return Result<kFtz, false>(static_cast<float>(sin(static_cast<double>(Input<kFtz>(a)))));
  }
};
template <bool kFtz>
struct Cos : F32 {
  static float Do(float a) {
    return Result<kFtz, false>(static_cast<float>(cos(static_cast<double>(Input<kFtz>(a)))));
  }
};
template <bool kFtz>
struct Lg2 : F32 {
  static float Do(float a) {
    return Result<kFtz, false>(static_cast<float>(log2(static_cast<double>(Input<kFtz>(a)))));
  }
};
template <bool kFtz>
struct Ex2 : F32 {
  static float Do(float a) {
    return Result<kFtz, false>(static_cast<float>(exp2(static_cast<double>(Input<kFtz>(a)))));
  }
};
template <bool kFtz>
struct Tanh : F32 {
  static float Do(float a) {
    return Result<kFtz, false>(static_cast<float>(tanh(static_cast<double>(Input<kFtz>(a)))));
  }
};

// The 64-bit forms look at the upper word only and give an upper word only; subnormals are flushed.
CULPRIT_INLINE double UpperWord(double x) {
  return Cast<double>(Cast<uint64_t>(x) & 0xffffffff00000000);
}
CULPRIT_INLINE double Flush64(double x) {
  uint64_t bits = Cast<uint64_t>(x);
  return (bits & 0x7ff0000000000000) == 0 ? Cast<double>(bits & 0x8000000000000000) : x;
}
struct RcpF64 : F64 {
  static double Do(double a) { return UpperWord(Flush64(1.0 / Flush64(UpperWord(a)))); }
};
struct RsqrtF64 : F64 {
  static double Do(double a) {
    return UpperWord(Flush64(1.0 / __builtin_sqrt(Flush64(UpperWord(a)))));
  }
};

#define CULPRIT_FTZ(shape, op) (lo.Has(Modifier::kFtz) ? shape<op<true>> : shape<op<false>>)

}  // namespace

void LowerApproximate(Lowering& lo) {
  Type type = lo.type();
  switch (lo.text().opcode) {
    case Opcode::kDiv:
      return EmitBinary(lo, CULPRIT_FTZ(Binary, Div), type, type);
    case Opcode::kRcp:
      return EmitUnary(lo, type == Type::kF64 ? Unary<RcpF64> : CULPRIT_FTZ(Unary, Rcp), type,
                       type);
    case Opcode::kSqrt:
      return EmitUnary(lo, type == Type::kF32 ? CULPRIT_FTZ(Unary, Sqrt) : nullptr, type, type);
    default:
      return EmitUnary(lo, type == Type::kF64 ? Unary<RsqrtF64> : CULPRIT_FTZ(Unary, Rsqrt), type,
                       type);
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
  EmitUnary(lo, CULPRIT_FTZ(UnaryEach, Tanh), lo.type(), lo.type());
}

}  // namespace culprit::exec::CULPRIT_LANES
