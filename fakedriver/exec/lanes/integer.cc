// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic.
#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// Arithmetic wraps around, so it is done on unsigned values of at least 32 bits.
template <typename T>
struct Traits;
template <>
struct Traits<uint16_t> {
  using Unsigned = uint16_t;
  using Wrap = uint32_t;
  using Wide = uint32_t;
  using UnsignedWide = uint32_t;
};
template <>
struct Traits<int16_t> {
  using Unsigned = uint16_t;
  using Wrap = uint32_t;
  using Wide = int32_t;
  using UnsignedWide = uint32_t;
};
template <>
struct Traits<uint32_t> {
  using Unsigned = uint32_t;
  using Wrap = uint32_t;
  using Wide = uint64_t;
  using UnsignedWide = uint64_t;
};
template <>
struct Traits<int32_t> {
  using Unsigned = uint32_t;
  using Wrap = uint32_t;
  using Wide = int64_t;
  using UnsignedWide = uint64_t;
};
template <>
struct Traits<uint64_t> {
  using Unsigned = uint64_t;
  using Wrap = uint64_t;
  using Wide = unsigned __int128;
  using UnsignedWide = unsigned __int128;
};
template <>
struct Traits<int64_t> {
  using Unsigned = uint64_t;
  using Wrap = uint64_t;
  using Wide = __int128;
  using UnsignedWide = unsigned __int128;
};

template <typename T>
using Wrap = typename Traits<T>::Wrap;
template <typename T>
using Wide = typename Traits<T>::Wide;
template <typename T>
constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(0);

template <typename T>
struct Op {
  using In = T;
  using Third = T;
  using Out = T;
};

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
CULPRIT_INLINE int32_t Saturate(int64_t value) {
  return static_cast<int32_t>(value > INT32_MAX   ? INT32_MAX
                              : value < INT32_MIN ? INT32_MIN
                                                  : value);
}
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
template <typename T>
struct SadOp : Op<T> {
  static T Do(T a, T b, T c) {
    return static_cast<T>(Wrap<T>(c) + (a < b ? Wrap<T>(b) - Wrap<T>(a) : Wrap<T>(a) - Wrap<T>(b)));
  }
};
// The results of division by zero are not specified; devices give all ones and the dividend.
template <typename T>
struct DivOp : Op<T> {
  static T Do(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if (kIsSigned<T> && b == static_cast<T>(-1)) return static_cast<T>(Wrap<T>(0) - Wrap<T>(a));
    return static_cast<T>(a / b);
  }
};
template <typename T>
struct RemOp : Op<T> {
  static T Do(T a, T b) {
    if (b == 0) return a;
    if (kIsSigned<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
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
struct MinReluOp : Op<int32_t> {
  static int32_t Do(int32_t a, int32_t b) {
    int32_t m = a < b ? a : b;
    return m < 0 ? 0 : m;
  }
};
struct MaxReluOp : Op<int32_t> {
  static int32_t Do(int32_t a, int32_t b) {
    int32_t m = a < b ? b : a;
    return m < 0 ? 0 : m;
  }
};

// Two 16-bit values in a word.
template <template <typename> class Half, typename T>
struct Pair : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    uint16_t low = static_cast<uint16_t>(Half<T>::Do(static_cast<T>(a), static_cast<T>(b)));
    uint16_t high =
        static_cast<uint16_t>(Half<T>::Do(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return uint32_t{high} << 16 | low;
  }
};

CULPRIT_INLINE int64_t Low24(uint32_t x, bool is_signed) {
  return is_signed ? static_cast<int32_t>(x << 8) >> 8 : static_cast<int64_t>(x & 0xffffff);
}
template <bool kSigned, bool kHigh>
struct Mul24Op : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    int64_t product = Low24(a, kSigned) * Low24(b, kSigned);
    return static_cast<uint32_t>(kHigh ? product >> 16 : product);
  }
};
template <bool kSigned, bool kHigh>
struct Mad24Op : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    return Mul24Op<kSigned, kHigh>::Do(a, b) + c;
  }
};
struct Mad24HiSatOp : Op<int32_t> {
  static int32_t Do(int32_t a, int32_t b, int32_t c) {
    return Saturate(int64_t{static_cast<int32_t>(Mul24Op<true, true>::Do(
                        static_cast<uint32_t>(a), static_cast<uint32_t>(b)))} +
                    c);
  }
};

template <bool kSignedA, bool kSignedB>
struct Dp4aOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t n = 0; n < 32; n += 8) {
      int32_t x = kSignedA ? static_cast<int8_t>(a >> n) : static_cast<int32_t>(a >> n & 0xff);
      int32_t y = kSignedB ? static_cast<int8_t>(b >> n) : static_cast<int32_t>(b >> n & 0xff);
      c += static_cast<uint32_t>(x * y);
    }
    return c;
  }
};
template <bool kSignedA, bool kSignedB, bool kHigh>
struct Dp2aOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t n = 0; n < 2; ++n) {
      uint32_t byte = b >> (8 * n + (kHigh ? 16 : 0));
      uint32_t half = a >> (16 * n);
      int32_t x = kSignedA ? static_cast<int16_t>(half) : static_cast<int32_t>(half & 0xffff);
      int32_t y = kSignedB ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte & 0xff);
      c += static_cast<uint32_t>(x * y);
    }
    return c;
  }
};

// The handler of an operation for an integer type.
#define CULPRIT_FOR_INTEGER(shape, op, type)             \
  ((type) == Type::kU16   ? Handler{shape<op<uint16_t>>} \
   : (type) == Type::kS16 ? Handler{shape<op<int16_t>>}  \
   : (type) == Type::kU32 ? Handler{shape<op<uint32_t>>} \
   : (type) == Type::kS32 ? Handler{shape<op<int32_t>>}  \
   : (type) == Type::kU64 ? Handler{shape<op<uint64_t>>} \
   : (type) == Type::kS64 ? Handler{shape<op<int64_t>>}  \
                          : Handler{nullptr})
#define CULPRIT_FOR_SIGNED(shape, op, type)             \
  ((type) == Type::kS16   ? Handler{shape<op<int16_t>>} \
   : (type) == Type::kS32 ? Handler{shape<op<int32_t>>} \
   : (type) == Type::kS64 ? Handler{shape<op<int64_t>>} \
                          : Handler{nullptr})

bool IsInteger(Type type) {
  return Info(type).family == TypeFamily::kUnsigned || Info(type).family == TypeFamily::kSigned;
}

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

void LowerMul24(Lowering& lo) {
  bool is_signed = lo.type() == Type::kS32;
  bool high = lo.Has(Modifier::kHi);
  EmitBinary(lo,
             is_signed ? (high ? Binary<Mul24Op<true, true>> : Binary<Mul24Op<true, false>>)
                       : (high ? Binary<Mul24Op<false, true>> : Binary<Mul24Op<false, false>>),
             lo.type(), lo.type());
}

void LowerMad24(Lowering& lo) {
  bool is_signed = lo.type() == Type::kS32;
  bool high = lo.Has(Modifier::kHi);
  Handler handler = is_signed
                        ? (high ? Ternary<Mad24Op<true, true>> : Ternary<Mad24Op<true, false>>)
                        : (high ? Ternary<Mad24Op<false, true>> : Ternary<Mad24Op<false, false>>);
  if (lo.Has(Modifier::kSat)) handler = is_signed && high ? Ternary<Mad24HiSatOp> : nullptr;
  EmitTernary(lo, handler, lo.type(), lo.type());
}

void LowerSad(Lowering& lo) {
  EmitTernary(lo, CULPRIT_FOR_INTEGER(Ternary, SadOp, lo.type()), lo.type(), lo.type());
}

void LowerDiv(Lowering& lo) {
  if (!IsInteger(lo.type())) return LowerFloatDiv(lo);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(BinaryEach, DivOp, lo.type()), lo.type(), lo.type());
}

void LowerRem(Lowering& lo) {
  EmitBinary(lo, CULPRIT_FOR_INTEGER(BinaryEach, RemOp, lo.type()), lo.type(), lo.type());
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
  if (type == Type::kS16x2) return EmitBinary(lo, Binary<Pair<MinOp, int16_t>>, type, type);
  if (!IsInteger(type)) return LowerFloatMin(lo);
  if (lo.Has(Modifier::kRelu))
    return EmitBinary(lo, type == Type::kS32 ? Binary<MinReluOp> : nullptr, type, type);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, MinOp, type), type, type);
}

void LowerMax(Lowering& lo) {
  Type type = lo.type();
  if (type == Type::kU16x2) return EmitBinary(lo, Binary<Pair<MaxOp, uint16_t>>, type, type);
  if (type == Type::kS16x2) return EmitBinary(lo, Binary<Pair<MaxOp, int16_t>>, type, type);
  if (!IsInteger(type)) return LowerFloatMax(lo);
  if (lo.Has(Modifier::kRelu))
    return EmitBinary(lo, type == Type::kS32 ? Binary<MaxReluOp> : nullptr, type, type);
  EmitBinary(lo, CULPRIT_FOR_INTEGER(Binary, MaxOp, type), type, type);
}

void LowerDp4a(Lowering& lo) {
  bool a = IsSigned(lo.type(0));
  bool b = IsSigned(lo.type(1));
  EmitTernary(lo,
              a ? (b ? Ternary<Dp4aOp<true, true>> : Ternary<Dp4aOp<true, false>>)
                : (b ? Ternary<Dp4aOp<false, true>> : Ternary<Dp4aOp<false, false>>),
              Type::kB32, Type::kB32);
}

void LowerDp2a(Lowering& lo) {
  bool a = IsSigned(lo.type(0));
  bool b = IsSigned(lo.type(1));
  Handler low =
      a ? (b ? Ternary<Dp2aOp<true, true, false>> : Ternary<Dp2aOp<true, false, false>>)
        : (b ? Ternary<Dp2aOp<false, true, false>> : Ternary<Dp2aOp<false, false, false>>);
  Handler high = a ? (b ? Ternary<Dp2aOp<true, true, true>> : Ternary<Dp2aOp<true, false, true>>)
                   : (b ? Ternary<Dp2aOp<false, true, true>> : Ternary<Dp2aOp<false, false, true>>);
  EmitTernary(lo, lo.Has(Modifier::kHi) ? high : low, Type::kB32, Type::kB32);
}

}  // namespace culprit::exec::CULPRIT_LANES
