// SPDX-License-Identifier: Apache-2.0
//
// Sums and products of integers.
#include "fakedriver/exec/lanes/integer_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename T>
struct AddOp : Op<T> {
  static T Do(T a, T b) { return static_cast<T>(Wrap<T>(a) + Wrap<T>(b)); }
};

template <typename T>
struct SubOp : Op<T> {
  static T Do(T a, T b) { return static_cast<T>(Wrap<T>(a) - Wrap<T>(b)); }
};

template <typename T>
struct MulLoOp : Op<T> {
  static T Do(T a, T b) { return static_cast<T>(Wrap<T>(a) * Wrap<T>(b)); }
};

template <typename T>
struct MulHiOp : Op<T> {
  static T Do(T a, T b) { return static_cast<T>((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T))); }
};

template <typename T>
struct MulWideOp {
  using In = T;
  using Out = Wide<T>;
  static Out Do(T a, T b) { return static_cast<Out>(Wide<T>(a) * Wide<T>(b)); }
};

template <typename T>
struct MadLoOp : Op<T> {
  static T Do(T a, T b, T c) { return static_cast<T>(Wrap<T>(a) * Wrap<T>(b) + Wrap<T>(c)); }
};

template <typename T>
struct MadHiOp : Op<T> {
  static T Do(T a, T b, T c) { return static_cast<T>(Wrap<T>(MulHiOp<T>::Do(a, b)) + Wrap<T>(c)); }
};

template <typename T>
struct MadWideOp {
  using In = T;
  using Third = Wide<T>;
  using Out = Wide<T>;
  static Out Do(T a, T b, Out c) {
    using U = typename Traits<T>::UnsignedWide;
    return static_cast<Out>(static_cast<U>(Wide<T>(a) * Wide<T>(b)) + static_cast<U>(c));
  }
};

struct AddSatOp : Op<int32_t> {
  static int32_t Do(int32_t a, int32_t b) { return Saturate(int64_t{a} + b); }
};

struct SubSatOp : Op<int32_t> {
  static int32_t Do(int32_t a, int32_t b) { return Saturate(int64_t{a} - b); }
};

struct MadHiSatOp : Op<int32_t> {
  static int32_t Do(int32_t a, int32_t b, int32_t c) {
    return Saturate((int64_t{a} * b >> 32) + c);
  }
};

Type WideType(Type type) {
  switch (type) {
    case Type::kU16:
      return Type::kU32;
    case Type::kS16:
      return Type::kS32;
    case Type::kU32:
      return Type::kU64;
    case Type::kS32:
      return Type::kS64;
    default:
      return Type::kNone;
  }
}

}  // namespace

void LowerAdd(Lowering& lo) {
  Type type = lo.type();
  if (lo.Has(Modifier::kCc)) return LowerAddCarry(lo);
  if (type == Type::kU16x2) return EmitBinary(lo, Binary<Pair<AddOp, uint16_t>>, type, type);
  if (type == Type::kS16x2) return EmitBinary(lo, Binary<Pair<AddOp, int16_t>>, type, type);
  if (!IsInteger(type)) return LowerFloatAdd(lo);
  if (lo.Has(Modifier::kSat))
    return EmitBinary(lo, type == Type::kS32 ? Binary<AddSatOp> : nullptr, type, type);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, AddOp, type), type, type);
}

void LowerSub(Lowering& lo) {
  Type type = lo.type();
  if (lo.Has(Modifier::kCc)) return LowerSubCarry(lo);
  if (!IsInteger(type)) return LowerFloatSub(lo);
  if (lo.Has(Modifier::kSat))
    return EmitBinary(lo, type == Type::kS32 ? Binary<SubSatOp> : nullptr, type, type);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, SubOp, type), type, type);
}

void LowerMul(Lowering& lo) {
  Type type = lo.type();
  if (!IsInteger(type)) return LowerFloatMul(lo);
  if (lo.Has(Modifier::kWide)) {
    Handler handler = type == Type::kU16   ? Binary<MulWideOp<uint16_t>>
                      : type == Type::kS16 ? Binary<MulWideOp<int16_t>>
                      : type == Type::kU32 ? Binary<MulWideOp<uint32_t>>
                      : type == Type::kS32 ? Binary<MulWideOp<int32_t>>
                                           : Handler{nullptr};
    return EmitBinary(lo, handler, WideType(type), type);
  }
  if (lo.Has(Modifier::kHi))
    return EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, MulHiOp, type), type, type);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, MulLoOp, type), type, type);
}

void LowerMad(Lowering& lo) {
  Type type = lo.type();
  if (lo.Has(Modifier::kCc)) return LowerMadCarry(lo);
  if (!IsInteger(type)) return LowerFma(lo);
  if (lo.Has(Modifier::kWide)) {
    Handler handler = type == Type::kU16   ? Ternary<MadWideOp<uint16_t>>
                      : type == Type::kS16 ? Ternary<MadWideOp<int16_t>>
                      : type == Type::kU32 ? Ternary<MadWideOp<uint32_t>>
                      : type == Type::kS32 ? Ternary<MadWideOp<int32_t>>
                                           : Handler{nullptr};
    return EmitTernary(lo, handler, WideType(type), type, WideType(type));
  }
  if (lo.Has(Modifier::kSat)) {
    bool fits = type == Type::kS32 && lo.Has(Modifier::kHi);
    return EmitTernary(lo, fits ? Ternary<MadHiSatOp> : nullptr, type, type);
  }
  if (lo.Has(Modifier::kHi))
    return EmitTernary(lo, CULPRIT_FOR_INTEGER(Ternary, MadHiOp, type), type, type);
  EmitTernary(lo, CULPRIT_FOR_INTEGER(Ternary, MadLoOp, type), type, type);
}

}  // namespace culprit::exec::CULPRIT_LANES
