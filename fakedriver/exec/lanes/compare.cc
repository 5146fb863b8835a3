// SPDX-License-Identifier: Apache-2.0
//
// setp and set.
#include "fakedriver/exec/lanes/float_bits.h"
#include "fakedriver/exec/lanes/half_value.h"
#include "fakedriver/exec/lanes/lane_mask.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

enum class Cmp { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };

template <typename T>
constexpr bool kIsInteger = static_cast<T>(0.5) == static_cast<T>(0);

// The ordered ones are false when an operand is NaN, those that end in u are true then.
template <Cmp kCmp, typename T>
CULPRIT_INLINE bool Holds(T a, T b) {
  switch (kCmp) {
    case Cmp::kEq:
      return a == b;
    case Cmp::kNe:
      return kIsInteger<T> ? !(a == b) : (a < b) | (a > b);
    case Cmp::kLt:
      return a < b;
    case Cmp::kLe:
      return a <= b;
    case Cmp::kGt:
      return a > b;
    case Cmp::kGe:
      return a >= b;
    case Cmp::kEqu:
      return !((a < b) | (a > b));
    case Cmp::kNeu:
      return !(a == b);
    case Cmp::kLtu:
      return !(a >= b);
    case Cmp::kLeu:
      return !(a > b);
    case Cmp::kGtu:
      return !(a <= b);
    case Cmp::kGeu:
      return !(a < b);
    case Cmp::kNum:
      return (a == a) & (b == b);
    case Cmp::kNan:
      return (a != a) | (b != b);
  }
  return false;
}

// How values are read from a place.
template <typename T>
struct Plain {
  using Stored = T;
  static T Load(T x) { return x; }
};
struct FlushedFloat {
  using Stored = float;
  static float Load(float x) { return Flush(x); }
};
struct HalfValue {
  using Stored = uint16_t;
  static float Load(uint16_t x) { return FromHalf(x); }
};
struct FlushedHalf {
  using Stored = uint16_t;
  static float Load(uint16_t x) {
    return FromHalf(static_cast<uint16_t>((x & 0x7c00) == 0 ? x & 0x8000 : x));
  }
};
struct Bf16Value {
  using Stored = uint16_t;
  static float Load(uint16_t x) { return FromBf16(x); }
};

enum Combine : uint32_t { kNothing, kAnd, kOr, kXor };

// The other predicate, how it is combined, and the second destination, if any.
enum CombineFlags : uint32_t { kCombineMask = 3, kNegatedC = 4, kSecond = 8 };

// Combines p, the comparison, and q, its complement or the second comparison of a pair.
CULPRIT_INLINE void Combined(const Warp& w, const Instruction* i, uint32_t& p, uint32_t& q) {
  uint32_t c = *Lanes<uint32_t>(w, i->c);
  if ((i->extra & kNegatedC) != 0) c = ~c;
  switch (i->extra & kCombineMask) {
    case kAnd:
      p &= c;
      q &= c;
      break;
    case kOr:
      p |= c;
      q |= c;
      break;
    case kXor:
      p ^= c;
      q ^= c;
      break;
    default:
      break;
  }
}

CULPRIT_INLINE void WritePredicate(const Warp& w, Place place, uint32_t value) {
  uint32_t* d = Lanes<uint32_t>(w, place);
  *d = (*d & ~w.mask) | (value & w.mask);
}

template <Cmp kCmp, typename Value>
const Instruction* Setp(Warp& w, const Instruction* i) {
  using T = typename Value::Stored;
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  int32_t flags[kLanes];
  CULPRIT_EACH_LANE {
    flags[l] = -static_cast<int32_t>(Holds<kCmp>(Value::Load(a[l]), Value::Load(b[l])));
  }
  uint32_t p = PackFlags(flags);
  uint32_t q = ~p;
  if (__builtin_expect(i->extra != 0, 0)) Combined(w, i, p, q);
  WritePredicate(w, i->d, p);
  if ((i->extra & kSecond) != 0) WritePredicate(w, static_cast<Place>(i->immediate), q);
  return i + 1;
}

// Pairs: the low halves give the first predicate, the high ones the second.
template <Cmp kCmp, typename Value>
const Instruction* SetpPair(Warp& w, const Instruction* i) {
  const uint32_t* a = Lanes<uint32_t>(w, i->a);
  const uint32_t* b = Lanes<uint32_t>(w, i->b);
  auto compared = [&](uint32_t shift) {
    int32_t flags[kLanes];
    CULPRIT_EACH_LANE {
      flags[l] =
          -static_cast<int32_t>(Holds<kCmp>(Value::Load(static_cast<uint16_t>(a[l] >> shift)),
                                            Value::Load(static_cast<uint16_t>(b[l] >> shift))));
    }
    return PackFlags(flags);
  };
  uint32_t p = compared(0);
  uint32_t q = compared(16);
  Combined(w, i, p, q);
  WritePredicate(w, i->d, p);
  WritePredicate(w, static_cast<Place>(i->immediate), q);
  return i + 1;
}

template <Cmp kCmp, typename Value, bool kPair>
constexpr Handler kCompare = Setp<kCmp, Value>;
template <Cmp kCmp, typename Value>
constexpr Handler kCompare<kCmp, Value, true> = SetpPair<kCmp, Value>;

template <typename Value, bool kPair = false>
Handler ForComparison(const Lowering& lo) {
  if (lo.Has(Modifier::kEq)) return kCompare<Cmp::kEq, Value, kPair>;
  if (lo.Has(Modifier::kNe)) return kCompare<Cmp::kNe, Value, kPair>;
  if (lo.Has(Modifier::kLt) || lo.Has(Modifier::kLo)) return kCompare<Cmp::kLt, Value, kPair>;
  if (lo.Has(Modifier::kLe) || lo.Has(Modifier::kLs)) return kCompare<Cmp::kLe, Value, kPair>;
  if (lo.Has(Modifier::kGt) || lo.Has(Modifier::kHi)) return kCompare<Cmp::kGt, Value, kPair>;
  if (lo.Has(Modifier::kGe) || lo.Has(Modifier::kHs)) return kCompare<Cmp::kGe, Value, kPair>;
  return nullptr;
}

template <typename Value, bool kPair = false>
Handler ForFloatComparison(const Lowering& lo) {
  if (lo.Has(Modifier::kEqu)) return kCompare<Cmp::kEqu, Value, kPair>;
  if (lo.Has(Modifier::kNeu)) return kCompare<Cmp::kNeu, Value, kPair>;
  if (lo.Has(Modifier::kLtu)) return kCompare<Cmp::kLtu, Value, kPair>;
  if (lo.Has(Modifier::kLeu)) return kCompare<Cmp::kLeu, Value, kPair>;
  if (lo.Has(Modifier::kGtu)) return kCompare<Cmp::kGtu, Value, kPair>;
  if (lo.Has(Modifier::kGeu)) return kCompare<Cmp::kGeu, Value, kPair>;
  if (lo.Has(Modifier::kNum)) return kCompare<Cmp::kNum, Value, kPair>;
  if (lo.Has(Modifier::kNan)) return kCompare<Cmp::kNan, Value, kPair>;
  return ForComparison<Value, kPair>(lo);
}

Handler ForType(const Lowering& lo, Type type) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return ForComparison<Plain<uint16_t>>(lo);
    case Type::kS16:
      return ForComparison<Plain<int16_t>>(lo);
    case Type::kB32:
    case Type::kU32:
      return ForComparison<Plain<uint32_t>>(lo);
    case Type::kS32:
      return ForComparison<Plain<int32_t>>(lo);
    case Type::kB64:
    case Type::kU64:
      return ForComparison<Plain<uint64_t>>(lo);
    case Type::kS64:
      return ForComparison<Plain<int64_t>>(lo);
    case Type::kF32:
      return lo.Has(Modifier::kFtz) ? ForFloatComparison<FlushedFloat>(lo)
                                    : ForFloatComparison<Plain<float>>(lo);
    case Type::kF64:
      return ForFloatComparison<Plain<double>>(lo);
    case Type::kF16:
      return lo.Has(Modifier::kFtz) ? ForFloatComparison<FlushedHalf>(lo)
                                    : ForFloatComparison<HalfValue>(lo);
    case Type::kBf16:
      return ForFloatComparison<Bf16Value>(lo);
    case Type::kF16x2:
      return lo.Has(Modifier::kFtz) ? ForFloatComparison<FlushedHalf, true>(lo)
                                    : ForFloatComparison<HalfValue, true>(lo);
    case Type::kBf16x2:
      return ForFloatComparison<Bf16Value, true>(lo);
    default:
      return nullptr;
  }
}

// Compares operands 1 and 2 into predicate d, combined with operand 3 if there is one.
void EmitCompare(Lowering& lo, Type type, Place d, Place second, bool has_second) {
  Handler handler = ForType(lo, type);
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, type);
  Place c = 0;
  uint32_t flags = 0;
  if (has_second) flags |= kSecond;
  if (lo.operand_count() > 3) {
    bool negated = false;
    c = lo.ReadPredicate(lo.operand(3), &negated);
    flags |= lo.Has(Modifier::kAnd) ? kAnd : lo.Has(Modifier::kOr) ? kOr : kXor;
    if (negated) flags |= kNegatedC;
  }
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.extra = flags;
  i.immediate = second;
}

bool IsPair(Type type) { return type == Type::kF16x2 || type == Type::kBf16x2; }

// The value of the immediate in the low half where predicate a holds, in the high half where b
// does.
const Instruction* PredicatesToPair(Warp& w, const Instruction* i) {
  uint32_t p = *Lanes<uint32_t>(w, i->a);
  uint32_t q = *Lanes<uint32_t>(w, i->b);
  uint32_t one = static_cast<uint32_t>(i->immediate);
  Assign(w, Lanes<uint32_t>(w, i->d), [=](uint32_t l) {
    return ((p >> l & 1) != 0 ? one : 0) | ((q >> l & 1) != 0 ? one << 16 : 0);
  });
  return i + 1;
}

// d = value of the immediate where predicate a holds, else 0.
template <typename T>
const Instruction* PredicateToValue(Warp& w, const Instruction* i) {
  uint32_t p = *Lanes<uint32_t>(w, i->a);
  T value = static_cast<T>(i->immediate);
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) { return (p >> l & 1) != 0 ? value : T{0}; });
  return i + 1;
}

}  // namespace

void LowerSetp(Lowering& lo) {
  const Operand& destination = lo.operand(0);
  if (destination.kind != Operand::Kind::kPair) {
    // A pair of halves gives two predicates, of which the second may go unused.
    Place unused = IsPair(lo.type()) ? lo.Scratch(4) : 0;
    return EmitCompare(lo, lo.type(), lo.Write(0, Type::kPred), unused, false);
  }
  Place d = lo.Write(lo.member(destination, 0), Type::kPred);
  Place second = lo.Write(lo.member(destination, 1), Type::kPred);
  EmitCompare(lo, lo.type(), d, second, true);
}

void LowerSet(Lowering& lo) {
  Type out = lo.type(0);
  Place p = lo.Scratch(4);
  if (IsPair(lo.type(1))) {
    if (!IsPair(out)) lo.Fail("this form of the instruction is not supported");
    Place q = lo.Scratch(4);
    EmitCompare(lo, lo.type(1), p, q, true);
    Place d = lo.Write(0, out);
    Instruction& i = lo.Emit(PredicatesToPair);
    i.d = d;
    i.a = p;
    i.b = q;
    i.immediate = out == Type::kF16x2 ? 0x3c00 : 0x3f80;
    return;
  }
  EmitCompare(lo, lo.type(1), p, 0, false);
  Place d = lo.Write(0, out);
  Handler handler = Bits(out) == 16   ? PredicateToValue<uint16_t>
                    : Bits(out) == 64 ? PredicateToValue<uint64_t>
                                      : PredicateToValue<uint32_t>;
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = p;
  i.immediate = out == Type::kF32    ? 0x3f800000
                : out == Type::kF16  ? 0x3c00
                : out == Type::kBf16 ? 0x3f80
                                     : -1;
}

}  // namespace culprit::exec::CULPRIT_LANES
