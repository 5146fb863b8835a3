// SPDX-License-Identifier: Apache-2.0
//
// Order and sign of integers, and differences by them.
#include "fakedriver/exec/lanes/integer_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename T>
struct SadOp : Op<T> {
  static T Do(T a, T b, T c) {
    return static_cast<T>(Wrap<T>(c) + (a < b ? Wrap<T>(b) - Wrap<T>(a) : Wrap<T>(a) - Wrap<T>(b)));
  }
};

template <typename T>
struct AbsOp : Op<T> {
  static T Do(T a) { return a < 0 ? static_cast<T>(Wrap<T>(0) - Wrap<T>(a)) : a; }
};

template <typename T>
struct NegOp : Op<T> {
  static T Do(T a) { return static_cast<T>(Wrap<T>(0) - Wrap<T>(a)); }
};

template <typename T>
struct MinOp : Op<T> {
  static T Do(T a, T b) { return a < b ? a : b; }
};

template <typename T>
struct MaxOp : Op<T> {
  static T Do(T a, T b) { return a < b ? b : a; }
};

template <typename T>
struct MinReluOp : Op<T> {
  static T Do(T a, T b) {
    T m = a < b ? a : b;
    return m < 0 ? T{0} : m;
  }
};

template <typename T>
struct MaxReluOp : Op<T> {
  static T Do(T a, T b) {
    T m = a < b ? b : a;
    return m < 0 ? T{0} : m;
  }
};

}  // namespace

void LowerSad(Lowering& lo) {
  EmitTernary(lo, CULPRIT_FOR_INTEGER(Ternary, SadOp, lo.type()), lo.type(), lo.type());
}

void LowerAbs(Lowering& lo) {
  if (!IsInteger(lo.type())) return LowerFloatAbs(lo);
  EmitUnary(lo, CULPRIT_FOR_SIGNED(Unary, AbsOp, lo.type()), lo.type(), lo.type());
}

void LowerNeg(Lowering& lo) {
  if (!IsInteger(lo.type())) return LowerFloatNeg(lo);
  EmitUnary(lo, CULPRIT_FOR_SIGNED(Unary, NegOp, lo.type()), lo.type(), lo.type());
}

void LowerMin(Lowering& lo) {
  Type type = lo.type();
  if (type == Type::kU16x2) return EmitBinary(lo, Binary<Pair<MinOp, uint16_t>>, type, type);
  if (type == Type::kS16x2)
    return EmitBinary(
        lo,
        lo.Has(Modifier::kRelu) ? Binary<Pair<MinReluOp, int16_t>> : Binary<Pair<MinOp, int16_t>>,
        type, type);
  if (!IsInteger(type)) return LowerFloatMin(lo);
  if (lo.Has(Modifier::kRelu))
    return EmitBinary(lo, type == Type::kS32 ? Binary<MinReluOp<int32_t>> : nullptr, type, type);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, MinOp, type), type, type);
}

void LowerMax(Lowering& lo) {
  Type type = lo.type();
  if (type == Type::kU16x2) return EmitBinary(lo, Binary<Pair<MaxOp, uint16_t>>, type, type);
  if (type == Type::kS16x2)
    return EmitBinary(
        lo,
        lo.Has(Modifier::kRelu) ? Binary<Pair<MaxReluOp, int16_t>> : Binary<Pair<MaxOp, int16_t>>,
        type, type);
  if (!IsInteger(type)) return LowerFloatMax(lo);
  if (lo.Has(Modifier::kRelu))
    return EmitBinary(lo, type == Type::kS32 ? Binary<MaxReluOp<int32_t>> : nullptr, type, type);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, MaxOp, type), type, type);
}

}  // namespace culprit::exec::CULPRIT_LANES
