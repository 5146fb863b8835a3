// SPDX-License-Identifier: Apache-2.0
//
// Moves, into and out of parts of registers too.
#include "fakedriver/exec/lanes/bit_types.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

template <typename T>
struct CopyOp {
  using In = T;
  using Out = T;
  static T Do(T a) { return a; }
};

const Instruction* MovePredicate(Warp& w, const Instruction* i) {
  uint32_t a = *Lanes<uint32_t>(w, i->a) ^ static_cast<uint32_t>(i->immediate);
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  *d = (*d & ~w.mask) | (a & w.mask);
  return i + 1;
}

// A register of D from its parts of type E, first part lowest.
template <typename D, typename E>
const Instruction* Pack(Warp& w, const Instruction* i) {
  const VectorInfo& parts = w.frame->code->vectors[i->extra];
  D results[kLanes] = {};
  for (uint32_t n = 0; n < parts.count; ++n) {
    const E* part = Lanes<E>(w, parts.places[n]);
    const uint32_t shift = n * 8 * sizeof(E);
    CULPRIT_EACH_LANE {
      results[l] = static_cast<D>(results[l] | static_cast<D>(part[l]) << shift);
    }
  }
  Assign(w, Lanes<D>(w, i->d), [&](uint32_t l) { return results[l]; });
  return i + 1;
}

template <typename S, typename E>
const Instruction* Unpack(Warp& w, const Instruction* i) {
  const VectorInfo& parts = w.frame->code->vectors[i->extra];
  S values[kLanes];
  const S* a = Lanes<S>(w, i->a);
  CULPRIT_EACH_LANE { values[l] = a[l]; }
  for (uint32_t n = 0; n < parts.count; ++n) {
    const uint32_t shift = n * 8 * sizeof(E);
    Assign(w, Lanes<E>(w, parts.places[n]),
           [&](uint32_t l) { return static_cast<E>(values[l] >> shift); });
  }
  return i + 1;
}

// The same with parts of 8 bits, whose registers are held in 16.
template <typename D>
const Instruction* PackBytes(Warp& w, const Instruction* i) {
  const VectorInfo& parts = w.frame->code->vectors[i->extra];
  D results[kLanes] = {};
  for (uint32_t n = 0; n < parts.count; ++n) {
    const uint16_t* part = Lanes<uint16_t>(w, parts.places[n]);
    CULPRIT_EACH_LANE {
      results[l] = static_cast<D>(results[l] | static_cast<D>(part[l] & 0xff) << (8 * n));
    }
  }
  Assign(w, Lanes<D>(w, i->d), [&](uint32_t l) { return results[l]; });
  return i + 1;
}

template <typename S>
const Instruction* UnpackBytes(Warp& w, const Instruction* i) {
  const VectorInfo& parts = w.frame->code->vectors[i->extra];
  S values[kLanes];
  const S* a = Lanes<S>(w, i->a);
  CULPRIT_EACH_LANE { values[l] = a[l]; }
  for (uint32_t n = 0; n < parts.count; ++n) {
    Assign(w, Lanes<uint16_t>(w, parts.places[n]),
           [&](uint32_t l) { return static_cast<uint16_t>(values[l] >> (8 * n) & 0xff); });
  }
  return i + 1;
}

Handler BytesHandler(bool packing, uint32_t bits) {
  if (bits == 16) return packing ? PackBytes<uint16_t> : UnpackBytes<uint16_t>;
  if (bits == 32) return packing ? PackBytes<uint32_t> : UnpackBytes<uint32_t>;
  return packing ? PackBytes<uint64_t> : UnpackBytes<uint64_t>;
}

Type BitsType(uint32_t bits) {
  return bits == 8 ? Type::kB8 : bits == 16 ? Type::kB16 : bits == 32 ? Type::kB32 : Type::kB64;
}

// mov.b32 d, {a, b} and mov.b32 {a, b}, d
void LowerVectorMove(Lowering& lo) {
  bool packing = lo.operand(1).kind == Operand::Kind::kVector;
  const Operand& vector = lo.operand(packing ? 1 : 0);
  uint32_t bits = Bits(lo.type());
  if (vector.count == 0 || vector.count > 8 || bits % vector.count != 0) lo.FailArguments();
  uint32_t part_bits = bits / vector.count;
  if (part_bits < 8 || bits > 64) lo.Fail("this form of the instruction is not supported");
  // A part that is no register takes the width that byte registers are held in.
  const auto part_type = [&](const Operand& member) {
    const bool widened = part_bits == 8 && member.kind != Operand::Kind::kRegister;
    return BitsType(widened ? 16 : part_bits);
  };
  VectorInfo parts;
  parts.count = vector.count;
  Handler handler = nullptr;
  if (packing) {
    for (uint32_t n = 0; n < vector.count; ++n) {
      const Operand& member = lo.member(vector, n);
      parts.places[n] = lo.Read(member, part_type(member));
    }
    handler = bits == 32        ? Pack<uint32_t, uint16_t>
              : part_bits == 32 ? Pack<uint64_t, uint32_t>
                                : Pack<uint64_t, uint16_t>;
  } else {
    for (uint32_t n = 0; n < vector.count; ++n) {
      const Operand& member = lo.member(vector, n);
      parts.places[n] = lo.Write(member, part_type(member));
    }
    handler = bits == 32        ? Unpack<uint32_t, uint16_t>
              : part_bits == 32 ? Unpack<uint64_t, uint32_t>
                                : Unpack<uint64_t, uint16_t>;
  }
  if (part_bits == 8) handler = BytesHandler(packing, bits);
  Place scalar = packing ? lo.Write(0, lo.type()) : lo.Read(1, lo.type());
  uint32_t info = lo.AddVector(parts);
  Instruction& i = lo.Emit(handler);
  (packing ? i.d : i.a) = scalar;
  i.extra = info;
}

}  // namespace

const Instruction* Widen(Warp& w, const Instruction* i) {
  const uint32_t* a = Lanes<uint32_t>(w, i->a);
  Assign(w, Lanes<uint64_t>(w, i->d), [=](uint32_t l) { return uint64_t{a[l]}; });
  return i + 1;
}

void LowerMov(Lowering& lo) {
  Type type = lo.type();
  if (type == Type::kPred) {
    bool negated = false;
    Place a = lo.ReadPredicate(lo.operand(1), &negated);
    Place d = lo.Write(0, type);
    Instruction& i = lo.Emit(MovePredicate);
    i.d = d;
    i.a = a;
    i.immediate = negated ? 0xffffffff : 0;
    return;
  }
  if (lo.operand(0).kind == Operand::Kind::kVector ||
      lo.operand(1).kind == Operand::Kind::kVector) {
    return LowerVectorMove(lo);
  }
  EmitUnary(lo, CULPRIT_FOR_BITS(Unary, CopyOp, type), type, type);
}

// There is no cache for a policy to steer.
void LowerCreatepolicy(Lowering& lo) {
  Place none = lo.Literal(0, Type::kB64);
  Place d = lo.Write(0, Type::kB64);
  Instruction& i = lo.Emit(Unary<CopyOp<uint64_t>>);
  i.d = d;
  i.a = none;
}

}  // namespace culprit::exec::CULPRIT_LANES
