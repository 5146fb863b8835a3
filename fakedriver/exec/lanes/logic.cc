// SPDX-License-Identifier: Apache-2.0
//
// Logic on bits and predicates.
#include "fakedriver/exec/lanes/bit_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

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

// Predicate d: whether a is not zero, combined with predicate b; the immediate negates b.
template <bool kOr>
const Instruction* TestNonZero(Warp& w, const Instruction* i) {
  const uint32_t* a = Lanes<uint32_t>(w, i->a);
  uint32_t p = 0;
  for (uint32_t l = 0; l < kLanes; ++l) p |= (a[l] != 0 ? 1u : 0u) << l;
  const uint32_t q = *Lanes<uint32_t>(w, i->b) ^ static_cast<uint32_t>(i->immediate);
  p = kOr ? p | q : p & q;
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  *d = (*d & ~w.mask) | (p & w.mask);
  return i + 1;
}

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

void LowerLop3(Lowering& lo) {
  if (lo.operand_count() < 5 || lo.operand(4).kind != Operand::Kind::kInteger) lo.FailArguments();
  const bool tested = lo.Has(Modifier::kOr) || lo.Has(Modifier::kAnd);
  const Operand& destination = lo.operand(0);
  if (tested != (lo.operand_count() == 6) || tested != (destination.kind == Operand::Kind::kPair))
    lo.FailArguments();
  int64_t table = lo.operand(4).value;
  Place a = lo.Read(1, Type::kB32);
  Place b = lo.Read(2, Type::kB32);
  Place c = lo.Read(3, Type::kB32);
  Place d = tested ? lo.Write(lo.member(destination, 0), Type::kB32) : lo.Write(0, Type::kB32);
  Instruction& i = lo.Emit(Lop3);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.immediate = table;
  if (!tested) return;
  bool negated = false;
  Place q = lo.ReadPredicate(lo.operand(5), &negated);
  Place p = lo.Write(lo.member(destination, 1), Type::kPred);
  Instruction& test = lo.Emit(lo.Has(Modifier::kOr) ? TestNonZero<true> : TestNonZero<false>);
  test.d = p;
  test.a = d;
  test.b = q;
  test.immediate = negated ? UINT32_MAX : 0;
}

}  // namespace culprit::exec::CULPRIT_LANES
