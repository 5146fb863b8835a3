// SPDX-License-Identifier: Apache-2.0
//
// Conversions from floating point to integers. Values outside the range of the destination become
// its limits. NaN becomes 0, but 2^(n-1) when the source is f64 or the destination has 64 bits (PTX
// ISA, cvt).
#include "fakedriver/exec/lanes/float_bits.h"
#include "fakedriver/exec/lanes/half_value.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

enum class Rounding { kNearest, kZero, kDown, kUp };

template <Rounding kMode>
CULPRIT_INLINE float Round(float x) {
  switch (kMode) {
    case Rounding::kNearest:
      return __builtin_rintf(x);
    case Rounding::kZero:
      return __builtin_truncf(x);
    case Rounding::kDown:
      return __builtin_floorf(x);
    case Rounding::kUp:
      return __builtin_ceilf(x);
  }
  return x;
}
template <Rounding kMode>
CULPRIT_INLINE double Round(double x) {
  switch (kMode) {
    case Rounding::kNearest:
      return __builtin_rint(x);
    case Rounding::kZero:
      return __builtin_trunc(x);
    case Rounding::kDown:
      return __builtin_floor(x);
    case Rounding::kUp:
      return __builtin_ceil(x);
  }
  return x;
}

// The least integer type of at least 16 bits that holds D: what the register is.
template <typename D>
struct HolderOf {
  using Type = D;
};
template <>
struct HolderOf<int8_t> {
  using Type = int16_t;
};
template <>
struct HolderOf<uint8_t> {
  using Type = uint16_t;
};

template <typename F, typename D, Rounding kMode, bool kFtz>
struct ConvertOp {
  using In = F;
  using Out = typename HolderOf<D>::Type;
  static constexpr uint32_t kBits = 8 * sizeof(D);
  static constexpr bool kSigned = static_cast<D>(-1) < static_cast<D>(0);
  static constexpr D kHighest =
      static_cast<D>(~(kSigned ? uint64_t{1} << (kBits - 1) : uint64_t{0}));
  static constexpr D kLowest = static_cast<D>(kSigned ? uint64_t{1} << (kBits - 1) : uint64_t{0});
  static constexpr D kOfNan =
      sizeof(F) == 8 || sizeof(D) == 8 ? static_cast<D>(uint64_t{1} << (kBits - 1)) : D{0};
  // The first value above the range, and the range's lower end; both exact.
  static constexpr F kAbove = static_cast<F>(uint64_t{1} << (kBits - 1)) * (kSigned ? F{1} : F{2});
  static constexpr F kBelow = kSigned ? -static_cast<F>(uint64_t{1} << (kBits - 1)) : F{0};

  static Out Do(F a) {
    if constexpr (sizeof(F) == 4) {
      if (kFtz) a = Flush(a);
    }
    F rounded = Round<kMode>(a);
    bool inside = (rounded >= kBelow) & (rounded < kAbove);
    D value = static_cast<D>(inside ? rounded : F{0});
    D outside = a != a ? kOfNan : a > F{0} ? kHighest : kLowest;
    return inside ? value : outside;
  }
};

template <typename F, typename D>
Handler ForMode(const Lowering& lo) {
  bool ftz = lo.Has(Modifier::kFtz);
  if (lo.Has(Modifier::kRni))
    return ftz ? Unary<ConvertOp<F, D, Rounding::kNearest, true>>
               : Unary<ConvertOp<F, D, Rounding::kNearest, false>>;
  if (lo.Has(Modifier::kRmi))
    return ftz ? Unary<ConvertOp<F, D, Rounding::kDown, true>>
               : Unary<ConvertOp<F, D, Rounding::kDown, false>>;
  if (lo.Has(Modifier::kRpi))
    return ftz ? Unary<ConvertOp<F, D, Rounding::kUp, true>>
               : Unary<ConvertOp<F, D, Rounding::kUp, false>>;
  return ftz ? Unary<ConvertOp<F, D, Rounding::kZero, true>>
             : Unary<ConvertOp<F, D, Rounding::kZero, false>>;
}

template <typename F>
Handler ForDestination(const Lowering& lo) {
  switch (lo.type(0)) {
    case Type::kU8:
      return ForMode<F, uint8_t>(lo);
    case Type::kS8:
      return ForMode<F, int8_t>(lo);
    case Type::kU16:
      return ForMode<F, uint16_t>(lo);
    case Type::kS16:
      return ForMode<F, int16_t>(lo);
    case Type::kU32:
      return ForMode<F, uint32_t>(lo);
    case Type::kS32:
      return ForMode<F, int32_t>(lo);
    case Type::kU64:
      return ForMode<F, uint64_t>(lo);
    case Type::kS64:
      return ForMode<F, int64_t>(lo);
    default:
      return nullptr;
  }
}

struct HalfToFloat {
  using In = uint16_t;
  using Out = float;
  static float Do(uint16_t a) { return FromHalf(a); }
};
struct Bf16ToFloat {
  using In = uint16_t;
  using Out = float;
  static float Do(uint16_t a) { return FromBf16(a); }
};

}  // namespace

void LowerFloatToInteger(Lowering& lo) {
  Type to = lo.type(0);
  Type from = lo.type(1);
  Place a = lo.Read(1, from);
  if (from == Type::kF16 || from == Type::kBf16) {
    Place single = lo.Scratch(4);
    Instruction& i = lo.Emit(from == Type::kF16 ? Unary<HalfToFloat> : Unary<Bf16ToFloat>);
    i.d = single;
    i.a = a;
    a = single;
  } else if (from != Type::kF32 && from != Type::kF64) {
    lo.FailArguments();
  }
  Handler handler = from == Type::kF64 ? ForDestination<double>(lo) : ForDestination<float>(lo);
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  Type target = lo.RegisterType(lo.operand(0));
  if (target == Type::kNone) target = to;
  if (Bits(target) < Bits(to) || !Agrees(target, to)) lo.FailArguments();
  // Bytes from bf16 go to registers of their size only.
  if (from == Type::kBf16 && Bits(to) == 8 && Bits(target) != 8) lo.FailArguments();
  Place d = lo.Write(0, target);
  bool fits = Bits(target) <= 16 ? Bits(to) <= 16 : Bits(target) == Bits(to);
  Place converted = fits ? d : lo.Scratch(8);
  Instruction& i = lo.Emit(handler);
  i.d = converted;
  i.a = a;
  if (fits) return;
  Instruction& extend = lo.Emit(ExtendHandler(Bits(to) <= 16 ? Type::kU16 : to, to, target));
  extend.d = d;
  extend.a = converted;
}

}  // namespace culprit::exec::CULPRIT_LANES
