// SPDX-License-Identifier: Apache-2.0
//
// Conversions between integers, and cvt as a whole: which file does which kind.
#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename R, typename S, typename D>
struct ExtendOp {
  using In = R;
  using Out = D;
  static D Do(R a) { return static_cast<D>(static_cast<S>(a)); }
};

template <typename R, typename S>
Handler ToWidth(uint32_t bits) {
  return bits == 16   ? Unary<ExtendOp<R, S, uint16_t>>
         : bits == 32 ? Unary<ExtendOp<R, S, uint32_t>>
                      : Unary<ExtendOp<R, S, uint64_t>>;
}

template <typename R>
Handler FromType(Type source, uint32_t bits) {
  switch (source) {
    case Type::kB8:
    case Type::kU8:
      return ToWidth<R, uint8_t>(bits);
    case Type::kS8:
      return ToWidth<R, int8_t>(bits);
    case Type::kB16:
    case Type::kU16:
      return ToWidth<R, uint16_t>(bits);
    case Type::kS16:
      return ToWidth<R, int16_t>(bits);
    case Type::kB32:
    case Type::kU32:
      return ToWidth<R, uint32_t>(bits);
    case Type::kS32:
      return ToWidth<R, int32_t>(bits);
    case Type::kB64:
    case Type::kU64:
      return ToWidth<R, uint64_t>(bits);
    case Type::kS64:
      return ToWidth<R, int64_t>(bits);
    default:
      return nullptr;
  }
}

// a, 64 bits, limited to [immediate, limit]; the limit is in the low half of `extra`'s literal, see
// LowerIntegerToInteger.
template <typename T>
const Instruction* Limit(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  const T* low = Lanes<T>(w, i->b);
  const T* high = Lanes<T>(w, i->c);
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) {
    return a[l] < low[l] ? low[l] : a[l] > high[l] ? high[l] : a[l];
  });
  return i + 1;
}

bool IsInteger(Type type) {
  return Info(type).family == TypeFamily::kUnsigned || Info(type).family == TypeFamily::kSigned;
}

// The register's type, or that of the value when the operand is a literal.
Type HolderOf(const Lowering& lo, size_t position, Type type) {
  Type holder = lo.RegisterType(lo.operand(position));
  if (holder == Type::kNone) return Bits(type) < 16 ? Type::kU16 : type;
  if (!Agrees(holder, type)) lo.FailArguments();
  return holder;
}

uint32_t HolderBits(Type type) { return Bits(type) < 16 ? 16 : Bits(type); }

void EmitExtend(Lowering& lo, Place d, Place a, Type holder, Type source, Type destination_holder) {
  Handler handler = ExtendHandler(holder, source, destination_holder);
  if (handler == nullptr) lo.FailArguments();
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
}

}  // namespace

Handler ExtendHandler(Type source_register, Type source, Type destination_register) {
  uint32_t bits = Bits(destination_register) < 16 ? 16 : Bits(destination_register);
  switch (Bits(source_register)) {
    case 8:
    case 16:
      return FromType<uint16_t>(source, bits);
    case 32:
      return FromType<uint32_t>(source, bits);
    case 64:
      return FromType<uint64_t>(source, bits);
    default:
      return nullptr;
  }
}

void LowerIntegerToInteger(Lowering& lo) {
  Type to = lo.type(0);
  Type from = lo.type(1);
  Type holder = HolderOf(lo, 1, from);
  Type target = lo.RegisterType(lo.operand(0));
  if (target == Type::kNone) target = to;
  if (!Agrees(target, to) || Bits(holder) < Bits(from) || Bits(target) < Bits(to))
    lo.FailArguments();
  Place a = lo.Read(1, holder);
  Place d = lo.Write(0, target);
  if (lo.Has(Modifier::kSat)) {
    // Through 64 bits of the source's signedness, limited to what both sides can hold.
    bool is_signed = IsSigned(from);
    uint32_t value_bits = Bits(to) - (IsSigned(to) ? 1 : 0);
    uint64_t high = value_bits >= 64 ? UINT64_MAX : (uint64_t{1} << value_bits) - 1;
    if (is_signed && high > INT64_MAX) high = INT64_MAX;
    uint64_t low = is_signed && IsSigned(to) ? ~((uint64_t{1} << (Bits(to) - 1)) - 1) : 0;
    Place wide = lo.Scratch(8);
    Place lowest = lo.Literal(low, Type::kU64);
    Place highest = lo.Literal(high, Type::kU64);
    EmitExtend(lo, wide, a, holder, from, Type::kU64);
    Instruction& limit = lo.Emit(is_signed ? Limit<int64_t> : Limit<uint64_t>);
    limit.d = limit.a = wide;
    limit.b = lowest;
    limit.c = highest;
    return EmitExtend(lo, d, wide, Type::kU64, to, target);
  }
  if (Bits(to) < HolderBits(target) && Bits(to) <= Bits(from)) {
    Place narrow = lo.Scratch(8);
    EmitExtend(lo, narrow, a, holder, from, target);
    return EmitExtend(lo, d, narrow, target, to, target);
  }
  EmitExtend(lo, d, a, holder, from, target);
}

void LowerCvt(Lowering& lo) {
  bool to_integer = IsInteger(lo.type(0));
  bool from_integer = IsInteger(lo.type(1));
  if (to_integer && from_integer) return LowerIntegerToInteger(lo);
  if (from_integer) return LowerIntegerToFloat(lo);
  if (to_integer) return LowerFloatToInteger(lo);
  if (!LowerEighths(lo)) LowerFloatToFloat(lo);
}

}  // namespace culprit::exec::CULPRIT_LANES
