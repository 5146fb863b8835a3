// SPDX-License-Identifier: Apache-2.0
//
// Logic, shifts and bit fields.
#include "fakedriver/exec/lanes/lanes.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename T>
struct Op {
  using In = T;
  using Third = T;
  using Out = T;
};
template <typename T>
constexpr uint32_t kBits = 8 * sizeof(T);

template <typename T>
struct AndOp : Op<T> {
  static T Do(T a, T b) { return a & b; }
};
template <typename T>
struct OrOp : Op<T> {
  static T Do(T a, T b) { return a | b; }
};
template <typename T>
struct XorOp : Op<T> {
  static T Do(T a, T b) { return a ^ b; }
};
template <typename T>
struct NotOp : Op<T> {
  static T Do(T a) { return static_cast<T>(~a); }
};
template <typename T>
struct CnotOp : Op<T> {
  static T Do(T a) { return a == 0 ? 1 : 0; }
};
template <typename T>
struct ShlOp : Op<T> {
  static T Do(T a, uint32_t b) {
    return b >= kBits<T> ? T{0} : static_cast<T>(a << (b & (kBits<T> - 1)));
  }
};
// Signed types fill with the sign.
template <typename T>
struct ShrOp : Op<T> {
  static T Do(T a, uint32_t b) {
    constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
    if (kSigned) return static_cast<T>(a >> (b >= kBits<T> ? kBits<T> - 1 : b));
    return b >= kBits<T> ? T{0} : static_cast<T>(a >> (b & (kBits<T> - 1)));
  }
};

template <bool kLeft, bool kWrap>
struct FunnelOp : Op<uint32_t> {
  static uint32_t Do(uint32_t low, uint32_t high, uint32_t c) {
    uint32_t n = kWrap ? c & 31 : (c > 32 ? 32 : c);
    uint64_t both = uint64_t{high} << 32 | low;
    return static_cast<uint32_t>(kLeft ? (both << n) >> 32 : both >> n);
  }
};

// Any function of three bits, by its truth table in the immediate.
const Instruction* Lop3(Warp& w, const Instruction* i) {
  const uint32_t* a = Lanes<uint32_t>(w, i->a);
  const uint32_t* b = Lanes<uint32_t>(w, i->b);
  const uint32_t* c = Lanes<uint32_t>(w, i->c);
  uint32_t terms[8];
  for (uint32_t n = 0; n < 8; ++n) terms[n] = (i->immediate >> n & 1) != 0 ? UINT32_MAX : 0;
  Assign(w, Lanes<uint32_t>(w, i->d), [=](uint32_t l) {
    uint32_t x = a[l];
    uint32_t y = b[l];
    uint32_t z = c[l];
    return (terms[0] & ~x & ~y & ~z) | (terms[1] & ~x & ~y & z) | (terms[2] & ~x & y & ~z) |
           (terms[3] & ~x & y & z) | (terms[4] & x & ~y & ~z) | (terms[5] & x & ~y & z) |
           (terms[6] & x & y & ~z) | (terms[7] & x & y & z);
  });
  return i + 1;
}

// Picks four of the eight bytes of b:a; the top bit of a selector replicates the byte's sign.
struct PrmtOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (uint32_t n = 0; n < 4; ++n) {
      uint32_t selector = c >> (4 * n);
      uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 0xff;
      if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
      result |= byte << (8 * n);
    }
    return result;
  }
};

enum class PrmtMode { kForward, kBackward, kReplicate8, kEdgeLeft, kEdgeRight, kReplicate16 };
template <PrmtMode kMode>
struct PrmtModeOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t s = c & 3;
    uint32_t selectors = 0;
    for (uint32_t n = 0; n < 4; ++n) {
      uint32_t pick = 0;
      if (kMode == PrmtMode::kForward) pick = s + n;
      if (kMode == PrmtMode::kBackward) pick = (s + 8 - n) & 7;
      if (kMode == PrmtMode::kReplicate8) pick = s;
      if (kMode == PrmtMode::kEdgeLeft) pick = n < s ? s : n;
      if (kMode == PrmtMode::kEdgeRight) pick = n < s ? n : s;
      if (kMode == PrmtMode::kReplicate16) pick = (s & 1) * 2 + (n & 1);
      selectors |= pick << (4 * n);
    }
    return PrmtOp::Do(a, b, selectors);
  }
};

template <typename T>
T LowMask(uint32_t n) {
  return n >= kBits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << n) - 1);
}

template <typename T, bool kSigned>
const Instruction* Bfe(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  const uint32_t* b = Lanes<uint32_t>(w, i->b);
  const uint32_t* c = Lanes<uint32_t>(w, i->c);
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) {
    uint32_t position = b[l] & 0xff;
    uint32_t length = c[l] & 0xff;
    uint32_t last = position + length - 1;
    if (last > kBits<T> - 1) last = kBits<T> - 1;
    T sign = kSigned && length != 0 ? static_cast<T>(T{0} - (a[l] >> last & 1)) : T{0};
    T field = position >= kBits<T> ? T{0} : static_cast<T>(a[l] >> (position & (kBits<T> - 1)));
    uint32_t there = position >= kBits<T> ? 0 : kBits<T> - position;
    T mask = LowMask<T>(length < there ? length : there);
    return static_cast<T>((field & mask) | (sign & ~mask));
  });
  return i + 1;
}

// a into b at position c, length in the place that the immediate holds.
template <typename T>
const Instruction* Bfi(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  const uint32_t* c = Lanes<uint32_t>(w, i->c);
  const uint32_t* n = Lanes<uint32_t>(w, static_cast<Place>(i->immediate));
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) {
    uint32_t position = c[l] & 0xff;
    uint32_t length = n[l] & 0xff;
    uint32_t shift = position & (kBits<T> - 1);
    T mask = position >= kBits<T> ? T{0} : static_cast<T>(LowMask<T>(length) << shift);
    return static_cast<T>((b[l] & ~mask) | ((a[l] << shift) & mask));
  });
  return i + 1;
}

template <bool kWrap>
struct BmskOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    uint32_t start = kWrap ? a & 31 : a;
    uint32_t width = kWrap ? b & 31 : b;
    if (start >= 32) return 0;
    return LowMask<uint32_t>(width) << start;
  }
};

template <bool kSigned, bool kWrap>
struct SzextOp : Op<uint32_t> {
  static uint32_t Do(uint32_t a, uint32_t b) {
    uint32_t n = kWrap ? b & 31 : b;
    if (n >= 32) return a;
    if (n == 0) return 0;
    uint32_t low = a & LowMask<uint32_t>(n);
    bool negative = kSigned && (a >> (n - 1) & 1) != 0;
    return negative ? low | ~LowMask<uint32_t>(n) : low;
  }
};

// The c-th set bit from position b, upwards for positive c and downwards for negative; position b
// itself for 0.
struct FnsOp : Op<uint32_t> {
  static uint32_t Do(uint32_t mask, uint32_t base, uint32_t offset) {
    int32_t count = static_cast<int32_t>(offset);
    if (base > 31) return UINT32_MAX;
    if (count == 0) return (mask >> base & 1) != 0 ? base : UINT32_MAX;
    int32_t step = count > 0 ? 1 : -1;
    int32_t left = count > 0 ? count : -count;
    for (int32_t at = static_cast<int32_t>(base); at >= 0 && at < 32; at += step) {
      if ((mask >> at & 1) != 0 && --left == 0) return static_cast<uint32_t>(at);
    }
    return UINT32_MAX;
  }
};

template <typename T>
struct PopcOp {
  using In = T;
  using Out = uint32_t;
  static uint32_t Do(T a) {
    return static_cast<uint32_t>(sizeof(T) == 8 ? __builtin_popcountll(a)
                                                : __builtin_popcount(static_cast<uint32_t>(a)));
  }
};
template <typename T>
struct ClzOp {
  using In = T;
  using Out = uint32_t;
  static uint32_t Do(T a) {
    if (a == 0) return kBits<T>;
    return static_cast<uint32_t>(sizeof(T) == 8 ? __builtin_clzll(a)
                                                : __builtin_clz(static_cast<uint32_t>(a)));
  }
};
template <typename T>
struct BrevOp : Op<T> {
  static T Do(T a) {
    uint64_t x = a;
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff00ff00ff) | (x & 0x00ff00ff00ff00ff) << 8;
    x = (x >> 16 & 0x0000ffff0000ffff) | (x & 0x0000ffff0000ffff) << 16;
    x = x >> 32 | x << 32;
    return static_cast<T>(x >> (64 - kBits<T>));
  }
};
// Position of the highest bit that differs from the sign; all ones if there is none.
template <typename T, bool kSigned, bool kShift>
struct BfindOp {
  using In = T;
  using Out = uint32_t;
  static uint32_t Do(T a) {
    if (kSigned && (a >> (kBits<T> - 1)) != 0) a = static_cast<T>(~a);
    if (a == 0) return UINT32_MAX;
    uint32_t zeros = ClzOp<T>::Do(a);
    return kShift ? zeros : kBits<T> - 1 - zeros;
  }
};

enum class Logic { kAnd, kOr, kXor };
template <Logic kOp>
const Instruction* PredicateLogic(Warp& w, const Instruction* i) {
  uint32_t a = *Lanes<uint32_t>(w, i->a) ^ static_cast<uint32_t>(i->immediate);
  uint32_t b = *Lanes<uint32_t>(w, i->b) ^ static_cast<uint32_t>(i->immediate >> 32);
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  uint32_t result = kOp == Logic::kAnd ? a & b : kOp == Logic::kOr ? a | b : a ^ b;
  *d = (*d & ~w.mask) | (result & w.mask);
  return i + 1;
}

const Instruction* PredicateNot(Warp& w, const Instruction* i) {
  uint32_t a = ~*Lanes<uint32_t>(w, i->a) ^ static_cast<uint32_t>(i->immediate);
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  *d = (*d & ~w.mask) | (a & w.mask);
  return i + 1;
}

#define CULPRIT_FOR_BITS(shape, op, type)            \
  (Bits(type) == 16   ? Handler{shape<op<uint16_t>>} \
   : Bits(type) == 32 ? Handler{shape<op<uint32_t>>} \
   : Bits(type) == 64 ? Handler{shape<op<uint64_t>>} \
                      : Handler{nullptr})

void LowerPredicateLogic(Lowering& lo, Handler handler) {
  bool not_a = false;
  bool not_b = false;
  Place a = lo.ReadPredicate(lo.operand(1), &not_a);
  Place b = lo.ReadPredicate(lo.operand(2), &not_b);
  Place d = lo.Write(0, Type::kPred);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.immediate =
      static_cast<int64_t>((not_a ? 0xffffffffull : 0) | (not_b ? 0xffffffff00000000ull : 0));
}

}  // namespace

void LowerAnd(Lowering& lo) {
  if (lo.type() == Type::kPred) return LowerPredicateLogic(lo, PredicateLogic<Logic::kAnd>);
  EmitBinary(lo, CULPRIT_FOR_BITS(Binary, AndOp, lo.type()), lo.type(), lo.type());
}
void LowerOr(Lowering& lo) {
  if (lo.type() == Type::kPred) return LowerPredicateLogic(lo, PredicateLogic<Logic::kOr>);
  EmitBinary(lo, CULPRIT_FOR_BITS(Binary, OrOp, lo.type()), lo.type(), lo.type());
}
void LowerXor(Lowering& lo) {
  if (lo.type() == Type::kPred) return LowerPredicateLogic(lo, PredicateLogic<Logic::kXor>);
  EmitBinary(lo, CULPRIT_FOR_BITS(Binary, XorOp, lo.type()), lo.type(), lo.type());
}
void LowerNot(Lowering& lo) {
  if (lo.type() != Type::kPred) {
    return EmitUnary(lo, CULPRIT_FOR_BITS(Unary, NotOp, lo.type()), lo.type(), lo.type());
  }
  bool negated = false;
  Place a = lo.ReadPredicate(lo.operand(1), &negated);
  Place d = lo.Write(0, Type::kPred);
  Instruction& i = lo.Emit(PredicateNot);
  i.d = d;
  i.a = a;
  i.immediate = negated ? 0xffffffff : 0;
}
void LowerCnot(Lowering& lo) {
  EmitUnary(lo, CULPRIT_FOR_BITS(Unary, CnotOp, lo.type()), lo.type(), lo.type());
}

void LowerShl(Lowering& lo) {
  EmitBinary(lo, CULPRIT_FOR_BITS(Shift, ShlOp, lo.type()), lo.type(), lo.type(), Type::kU32);
}

void LowerShr(Lowering& lo) {
  Type type = lo.type();
  Handler handler = CULPRIT_FOR_BITS(Shift, ShrOp, type);
  if (type == Type::kS16) handler = Shift<ShrOp<int16_t>>;
  if (type == Type::kS32) handler = Shift<ShrOp<int32_t>>;
  if (type == Type::kS64) handler = Shift<ShrOp<int64_t>>;
  EmitBinary(lo, handler, type, type, Type::kU32);
}

void LowerShf(Lowering& lo) {
  bool wrap = lo.Has(Modifier::kWrap);
  Handler left = wrap ? Ternary<FunnelOp<true, true>> : Ternary<FunnelOp<true, false>>;
  Handler right = wrap ? Ternary<FunnelOp<false, true>> : Ternary<FunnelOp<false, false>>;
  EmitTernary(lo, lo.Has(Modifier::kL) ? left : right, Type::kB32, Type::kB32);
}

void LowerLop3(Lowering& lo) {
  if (lo.operand_count() != 5 || lo.operand(4).kind != Operand::Kind::kInteger) {
    lo.Fail("this form of the instruction is not supported");
  }
  int64_t table = lo.operand(4).value;
  Place a = lo.Read(1, Type::kB32);
  Place b = lo.Read(2, Type::kB32);
  Place c = lo.Read(3, Type::kB32);
  Place d = lo.Write(0, Type::kB32);
  Instruction& i = lo.Emit(Lop3);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.immediate = table;
}

void LowerPrmt(Lowering& lo) {
  Handler handler = Ternary<PrmtOp>;
  if (lo.Has(Modifier::kF4e)) handler = Ternary<PrmtModeOp<PrmtMode::kForward>>;
  if (lo.Has(Modifier::kB4e)) handler = Ternary<PrmtModeOp<PrmtMode::kBackward>>;
  if (lo.Has(Modifier::kRc8)) handler = Ternary<PrmtModeOp<PrmtMode::kReplicate8>>;
  if (lo.Has(Modifier::kEcl)) handler = Ternary<PrmtModeOp<PrmtMode::kEdgeLeft>>;
  if (lo.Has(Modifier::kEcr)) handler = Ternary<PrmtModeOp<PrmtMode::kEdgeRight>>;
  if (lo.Has(Modifier::kRc16)) handler = Ternary<PrmtModeOp<PrmtMode::kReplicate16>>;
  EmitTernary(lo, handler, Type::kB32, Type::kB32);
}

void LowerBfe(Lowering& lo) {
  Type type = lo.type();
  bool is_signed = IsSigned(type);
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, Type::kU32);
  Place c = lo.Read(3, Type::kU32);
  Place d = lo.Write(0, type);
  Instruction& i =
      lo.Emit(Bits(type) == 64 ? (is_signed ? Bfe<uint64_t, true> : Bfe<uint64_t, false>)
                               : (is_signed ? Bfe<uint32_t, true> : Bfe<uint32_t, false>));
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
}

void LowerBfi(Lowering& lo) {
  Type type = lo.type();
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, type);
  Place c = lo.Read(3, Type::kU32);
  Place length = lo.Read(4, Type::kU32);
  Place d = lo.Write(0, type);
  Instruction& i = lo.Emit(Bits(type) == 64 ? Bfi<uint64_t> : Bfi<uint32_t>);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.immediate = length;
}

void LowerBmsk(Lowering& lo) {
  EmitBinary(lo, lo.Has(Modifier::kWrap) ? Binary<BmskOp<true>> : Binary<BmskOp<false>>, Type::kB32,
             Type::kB32);
}

void LowerSzext(Lowering& lo) {
  bool wrap = lo.Has(Modifier::kWrap);
  Handler with_sign = wrap ? Binary<SzextOp<true, true>> : Binary<SzextOp<true, false>>;
  Handler with_zeros = wrap ? Binary<SzextOp<false, true>> : Binary<SzextOp<false, false>>;
  EmitBinary(lo, IsSigned(lo.type()) ? with_sign : with_zeros, lo.type(), lo.type());
}

void LowerFns(Lowering& lo) { EmitTernary(lo, TernaryEach<FnsOp>, Type::kB32, Type::kB32); }

void LowerPopc(Lowering& lo) {
  EmitUnary(lo, Bits(lo.type()) == 64 ? Unary<PopcOp<uint64_t>> : Unary<PopcOp<uint32_t>>,
            Type::kU32, lo.type());
}
void LowerClz(Lowering& lo) {
  EmitUnary(lo, Bits(lo.type()) == 64 ? Unary<ClzOp<uint64_t>> : Unary<ClzOp<uint32_t>>, Type::kU32,
            lo.type());
}
void LowerBrev(Lowering& lo) {
  EmitUnary(lo, Bits(lo.type()) == 64 ? Unary<BrevOp<uint64_t>> : Unary<BrevOp<uint32_t>>,
            lo.type(), lo.type());
}
void LowerBfind(Lowering& lo) {
  Type type = lo.type();
  bool shift = lo.Has(Modifier::kShiftamt);
  Handler handler = nullptr;
  if (Bits(type) == 64) {
    handler =
        IsSigned(type)
            ? (shift ? Unary<BfindOp<uint64_t, true, true>> : Unary<BfindOp<uint64_t, true, false>>)
            : (shift ? Unary<BfindOp<uint64_t, false, true>>
                     : Unary<BfindOp<uint64_t, false, false>>);
  } else {
    handler =
        IsSigned(type)
            ? (shift ? Unary<BfindOp<uint32_t, true, true>> : Unary<BfindOp<uint32_t, true, false>>)
            : (shift ? Unary<BfindOp<uint32_t, false, true>>
                     : Unary<BfindOp<uint32_t, false, false>>);
  }
  EmitUnary(lo, handler, Type::kU32, type);
}

}  // namespace culprit::exec::CULPRIT_LANES
