// SPDX-License-Identifier: Apache-2.0
//
// Moves, selections, address space conversions, classification.
#include "fakedriver/exec/lanes/float_bits.h"
#include "fakedriver/exec/lanes/lane_mask.h"
#include "fakedriver/exec/machine/address_windows.h"

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

template <typename T>
const Instruction* Select(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  const T* b = Lanes<T>(w, i->b);
  const uint32_t p = *Lanes<uint32_t>(w, i->c) ^ static_cast<uint32_t>(i->immediate);
  Assign(w, Lanes<T>(w, i->d), [=](uint32_t l) { return (p >> l & 1) != 0 ? a[l] : b[l]; });
  return i + 1;
}

template <typename T>
struct SlctIntOp {
  using In = T;
  using Third = int32_t;
  using Out = T;
  static T Do(T a, T b, int32_t c) { return c >= 0 ? a : b; }
};
// NaN selects b; -0 counts as 0, and so do subnormals with .ftz.
template <typename T>
struct SlctFloatOp {
  using In = T;
  using Third = float;
  using Out = T;
  static T Do(T a, T b, float c) { return c >= 0.0f ? a : b; }
};
template <typename T>
struct SlctFlushedOp {
  using In = T;
  using Third = float;
  using Out = T;
  static T Do(T a, T b, float c) { return Flush(c) >= 0.0f ? a : b; }
};

// a plus or minus the window of a state space.
template <typename D, typename S>
const Instruction* AddWindow(Warp& w, const Instruction* i) {
  const S* a = Lanes<S>(w, i->a);
  const uint64_t window = static_cast<uint64_t>(i->immediate);
  Assign(w, Lanes<D>(w, i->d), [=](uint32_t l) {
    // Addresses already in the window stay; devices accept them too.
    uint64_t address = a[l];
    return static_cast<D>(address >> 56 != 0 ? address : address + window);
  });
  return i + 1;
}
template <typename D, typename S>
const Instruction* SubtractWindow(Warp& w, const Instruction* i) {
  const S* a = Lanes<S>(w, i->a);
  const uint64_t window = static_cast<uint64_t>(i->immediate);
  Assign(w, Lanes<D>(w, i->d), [=](uint32_t l) {
    uint64_t address = a[l];
    return static_cast<D>(address >> 56 == window >> 56 ? address - window : address);
  });
  return i + 1;
}

// Whether the upper byte of the address is that of the window (0 is device memory).
const Instruction* IsInSpace(Warp& w, const Instruction* i) {
  const uint64_t* a = Lanes<uint64_t>(w, i->a);
  const uint64_t wanted = static_cast<uint64_t>(i->immediate) >> 56;
  int32_t flags[kLanes];
  CULPRIT_EACH_LANE { flags[l] = -static_cast<int32_t>(a[l] >> 56 == wanted); }
  uint32_t p = PackFlags(flags);
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  *d = (*d & ~w.mask) | (p & w.mask);
  return i + 1;
}

enum class Class { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };
template <Class kClass, typename T, uint32_t kFractionBits, T kExponent>
const Instruction* Testp(Warp& w, const Instruction* i) {
  const T* a = Lanes<T>(w, i->a);
  uint32_t p = 0;
  for (uint32_t l = 0; l < kLanes; ++l) {
    T exponent = a[l] & kExponent;
    bool fraction = (a[l] & ((T{1} << kFractionBits) - 1)) != 0;
    bool special = exponent == kExponent;
    bool result = kClass == Class::kFinite       ? !special
                  : kClass == Class::kInfinite   ? special && !fraction
                  : kClass == Class::kNumber     ? !(special && fraction)
                  : kClass == Class::kNotANumber ? special && fraction
                  : kClass == Class::kNormal     ? !special && (exponent != 0 || !fraction)
                                                 : exponent == 0 && fraction;
    p |= (result ? 1u : 0u) << l;
  }
  uint32_t* d = Lanes<uint32_t>(w, i->d);
  *d = (*d & ~w.mask) | (p & w.mask);
  return i + 1;
}

template <Class kClass>
Handler TestpFor(Type type) {
  return type == Type::kF64 ? Testp<kClass, uint64_t, 52, 0x7ff0000000000000>
                            : Testp<kClass, uint32_t, 23, 0x7f800000>;
}

#define CULPRIT_BY_BITS(handler, bits)         \
  ((bits) == 16   ? Handler{handler<uint16_t>} \
   : (bits) == 32 ? Handler{handler<uint32_t>} \
   : (bits) == 64 ? Handler{handler<uint64_t>} \
                  : Handler{nullptr})
#define CULPRIT_OP_BY_BITS(shape, op, bits)      \
  ((bits) == 16   ? Handler{shape<op<uint16_t>>} \
   : (bits) == 32 ? Handler{shape<op<uint32_t>>} \
   : (bits) == 64 ? Handler{shape<op<uint64_t>>} \
                  : Handler{nullptr})

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
  if (part_bits < 16 || bits > 64) lo.Fail("this form of the instruction is not supported");
  Type part = BitsType(part_bits);
  VectorInfo parts;
  parts.count = vector.count;
  Handler handler = nullptr;
  if (packing) {
    for (uint32_t n = 0; n < vector.count; ++n)
      parts.places[n] = lo.Read(lo.member(vector, n), part);
    handler = bits == 32        ? Pack<uint32_t, uint16_t>
              : part_bits == 32 ? Pack<uint64_t, uint32_t>
                                : Pack<uint64_t, uint16_t>;
  } else {
    for (uint32_t n = 0; n < vector.count; ++n)
      parts.places[n] = lo.Write(lo.member(vector, n), part);
    handler = bits == 32        ? Unpack<uint32_t, uint16_t>
              : part_bits == 32 ? Unpack<uint64_t, uint32_t>
                                : Unpack<uint64_t, uint16_t>;
  }
  Place scalar = packing ? lo.Write(0, lo.type()) : lo.Read(1, lo.type());
  uint32_t info = lo.AddVector(parts);
  Instruction& i = lo.Emit(handler);
  (packing ? i.d : i.a) = scalar;
  i.extra = info;
}

uint64_t WindowOf(StateSpace space) {
  switch (space) {
    case StateSpace::kShared:
      return kSharedWindow;
    case StateSpace::kLocal:
      return kLocalWindow;
    case StateSpace::kParam:
      return kParamWindow;
    default:
      return 0;
  }
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
  EmitUnary(lo, CULPRIT_OP_BY_BITS(Unary, CopyOp, Bits(type)), type, type);
}

void LowerSelp(Lowering& lo) {
  Type type = lo.type();
  bool negated = false;
  Place a = lo.Read(1, type);
  Place b = lo.Read(2, type);
  Place c = lo.ReadPredicate(lo.operand(3), &negated);
  Place d = lo.Write(0, type);
  Handler handler = CULPRIT_BY_BITS(Select, Bits(type));
  if (handler == nullptr) lo.FailArguments();
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.immediate = negated ? 0xffffffff : 0;
}

void LowerSlct(Lowering& lo) {
  Type type = lo.type(0);
  Handler handler = CULPRIT_OP_BY_BITS(Ternary, SlctIntOp, Bits(type));
  if (lo.type(1) == Type::kF32) {
    handler = lo.Has(Modifier::kFtz) ? CULPRIT_OP_BY_BITS(Ternary, SlctFlushedOp, Bits(type))
                                     : CULPRIT_OP_BY_BITS(Ternary, SlctFloatOp, Bits(type));
  }
  EmitTernary(lo, handler, type, type, lo.type(1));
}

// Device and constant memory have the same addresses in every form; the windows of the others are
// added or taken away.
void LowerCvta(Lowering& lo) {
  Type type = lo.type();
  uint64_t window = WindowOf(lo.Space());
  bool wide = Bits(type) == 64;
  Place a = lo.Read(1, type);
  Place d = lo.Write(0, type);
  Handler handler = wide ? Unary<CopyOp<uint64_t>> : Unary<CopyOp<uint32_t>>;
  if (window != 0) {
    if (!wide) lo.Fail("generic addresses have 64 bits");
    handler =
        lo.Has(Modifier::kTo) ? SubtractWindow<uint64_t, uint64_t> : AddWindow<uint64_t, uint64_t>;
    // Addresses of parameters are generic from the start.
    if (lo.Space() == StateSpace::kParam && lo.Has(Modifier::kTo))
      handler = Unary<CopyOp<uint64_t>>;
  }
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.immediate = static_cast<int64_t>(window);
}

// There is no cache for a policy to steer.
void LowerCreatepolicy(Lowering& lo) {
  Place none = lo.Literal(0, Type::kB64);
  Place d = lo.Write(0, Type::kB64);
  Instruction& i = lo.Emit(Unary<CopyOp<uint64_t>>);
  i.d = d;
  i.a = none;
}

void LowerIsspacep(Lowering& lo) {
  Place a = lo.Read(1, Type::kU64);
  Place d = lo.Write(0, Type::kPred);
  uint64_t window = WindowOf(lo.Space());
  Instruction& i = lo.Emit(IsInSpace);
  i.d = d;
  i.a = a;
  // Constant memory is not told from device memory by its address; a byte no address has makes the
  // answer no.
  i.immediate =
      lo.Space() == StateSpace::kConst ? INT64_C(0x7f) << 56 : static_cast<int64_t>(window);
}

void LowerTestp(Lowering& lo) {
  Type type = lo.type();
  Handler handler = lo.Has(Modifier::kFinite)       ? TestpFor<Class::kFinite>(type)
                    : lo.Has(Modifier::kInfinite)   ? TestpFor<Class::kInfinite>(type)
                    : lo.Has(Modifier::kNumber)     ? TestpFor<Class::kNumber>(type)
                    : lo.Has(Modifier::kNotanumber) ? TestpFor<Class::kNotANumber>(type)
                    : lo.Has(Modifier::kNormal)     ? TestpFor<Class::kNormal>(type)
                                                    : TestpFor<Class::kSubnormal>(type);
  EmitUnary(lo, handler, Type::kPred, type);
}

}  // namespace culprit::exec::CULPRIT_LANES
