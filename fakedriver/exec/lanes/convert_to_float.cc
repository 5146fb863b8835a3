// SPDX-License-Identifier: Apache-2.0
//
// Conversions from integers to floating point.
#include <cfenv>

#include "fakedriver/exec/lanes/float_bits.h"
#include "fakedriver/exec/lanes/half_rounding.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename S, typename D, bool kSat>
struct ConvertOp {
  using In = S;
  using Out = D;
  static D Do(S a) { return kSat ? Clamp01(static_cast<D>(a)) : static_cast<D>(a); }
};
// Integers of up to 64 bits become double precision with a sticky last bit, then half precision.
// `extra` says whether the result is limited to [0, 1], the immediate in which direction it is
// rounded.
template <typename S, bool kBf16>
const Instruction* ToHalf(Warp& w, const Instruction* i) {
  const S* values = Lanes<S>(w, i->a);
  const Direction direction = static_cast<Direction>(i->immediate);
  const uint32_t flags = i->extra;
  AssignEach(w, Lanes<uint16_t>(w, i->d), [=](uint32_t l) {
    const S a = values[l];
    uint64_t magnitude = a < 0 ? uint64_t{0} - static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
    // Beyond 2^40 every value is far outside half precision; for bf16 a sticky bit keeps what the
    // shift loses.
    uint64_t sticky = (magnitude & 0xffff) != 0 ? 1 : 0;
    double exact = magnitude >> 40 != 0 ? static_cast<double>(magnitude >> 16 | sticky) * 65536.0
                                        : static_cast<double>(magnitude);
    return ToHalfDirected<kBf16>(a < 0 ? -exact : exact, direction, flags);
  });
  return i + 1;
}

template <typename Op>
const Instruction* Rounded(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  fesetround(static_cast<int>(i->extra));
  Assign(w, Lanes<typename Op::Out>(w, i->d), [=](uint32_t l) { return Op::Do(a[l]); });
  fesetround(FE_TONEAREST);
  return i + 1;
}

template <typename S>
Handler From(const Lowering& lo, bool nearest) {
  bool sat = lo.Has(Modifier::kSat);
  switch (lo.type(0)) {
    case Type::kF32:
      if (nearest)
        return sat ? Unary<ConvertOp<S, float, true>> : Unary<ConvertOp<S, float, false>>;
      return sat ? Rounded<ConvertOp<S, float, true>> : Rounded<ConvertOp<S, float, false>>;
    case Type::kF64:
      if (nearest)
        return sat ? Unary<ConvertOp<S, double, true>> : Unary<ConvertOp<S, double, false>>;
      return sat ? Rounded<ConvertOp<S, double, true>> : Rounded<ConvertOp<S, double, false>>;
    case Type::kF16:
      return ToHalf<S, false>;
    case Type::kBf16:
      return ToHalf<S, true>;
    default:
      return nullptr;
  }
}

}  // namespace

void LowerIntegerToFloat(Lowering& lo) {
  Type from = lo.type(1);
  Type holder = lo.RegisterType(lo.operand(1));
  if (holder == Type::kNone) holder = Bits(from) < 32 ? Type::kU32 : from;
  if (Bits(holder) < Bits(from) || !Agrees(holder, from)) lo.FailArguments();
  // Bytes become bf16 from registers of their size only.
  if (lo.type(0) == Type::kBf16 && Bits(from) == 8 && Bits(holder) != 8) lo.FailArguments();
  int mode = lo.Has(Modifier::kRz)   ? FE_TOWARDZERO
             : lo.Has(Modifier::kRm) ? FE_DOWNWARD
             : lo.Has(Modifier::kRp) ? FE_UPWARD
                                     : FE_TONEAREST;
  Place a = lo.Read(1, holder);
  // Narrow sources first become 32 bits wide.
  Type wide = Bits(from) == 64 ? from : IsSigned(from) ? Type::kS32 : Type::kU32;
  if (Bits(holder) != Bits(wide) || Bits(from) < 32) {
    Place extended = lo.Scratch(8);
    Handler extend = ExtendHandler(holder, from, wide);
    if (extend == nullptr) lo.FailArguments();
    Instruction& i = lo.Emit(extend);
    i.d = extended;
    i.a = a;
    a = extended;
  }
  bool nearest = mode == FE_TONEAREST;
  Handler handler = wide == Type::kS32   ? From<int32_t>(lo, nearest)
                    : wide == Type::kU32 ? From<uint32_t>(lo, nearest)
                    : wide == Type::kS64 ? From<int64_t>(lo, nearest)
                                         : From<uint64_t>(lo, nearest);
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  Place d = lo.Write(0, lo.type(0));
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  if (lo.type(0) == Type::kF16 || lo.type(0) == Type::kBf16) {
    if (lo.Has(Modifier::kSat)) i.extra = kSat;
    i.immediate = static_cast<int64_t>(mode == FE_TOWARDZERO ? Direction::kZero
                                       : mode == FE_DOWNWARD ? Direction::kDown
                                       : mode == FE_UPWARD   ? Direction::kUp
                                                             : Direction::kNearest);
    return;
  }
  i.extra = static_cast<uint32_t>(mode);
}

}  // namespace culprit::exec::CULPRIT_LANES
