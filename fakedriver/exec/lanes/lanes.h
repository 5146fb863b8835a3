// SPDX-License-Identifier: Apache-2.0
//
// What the vector handlers share. Every file of this folder is compiled once for each instruction
// set, in a namespace named after it (CULPRIT_LANES). A handler is a loop over 32 lanes that the
// compiler turns into vector code; when the warp has diverged, results go only to the lanes that
// run. Values of lanes that do not run are computed too, so operations must be defined for any
// bits.
//
// To stay in their namespace, these files use no library templates and no inline functions from
// elsewhere.
#ifndef FAKEDRIVER_EXEC_LANES_LANES_H_
#define FAKEDRIVER_EXEC_LANES_LANES_H_

#include <cstddef>
#include <cstdint>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/machine/instruction.h"
#include "fakedriver/exec/machine/warp.h"

#ifndef CULPRIT_LANES
#error "CULPRIT_LANES names the instruction set this file is compiled for"
#endif

// Iterations are independent although places may be the same: a lane reads and writes its own
// element only.
#if defined(__clang__)
#define CULPRIT_EACH_LANE \
  _Pragma("clang loop vectorize(assume_safety)") for (uint32_t l = 0; l < kLanes; ++l)
#else
#define CULPRIT_EACH_LANE _Pragma("GCC ivdep") for (uint32_t l = 0; l < kLanes; ++l)
#endif
#define CULPRIT_INLINE inline __attribute__((always_inline))

namespace culprit::exec::CULPRIT_LANES {

template <typename T>
CULPRIT_INLINE T* Lanes(const Warp& w, Place place) {
  return reinterpret_cast<T*>(w.areas[place >> 30] + (place & 0x3fffffff));
}

template <typename To, typename From>
CULPRIT_INLINE To Cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// Writes value(l) to the running lanes of d.
template <typename D, typename Value>
CULPRIT_INLINE void Assign(const Warp& w, D* d, Value value) {
  if (__builtin_expect(w.full, 1)) {
    CULPRIT_EACH_LANE { d[l] = value(l); }
  } else {
    const uint32_t mask = w.mask;
    D results[kLanes];
    CULPRIT_EACH_LANE { results[l] = value(l); }
    CULPRIT_EACH_LANE { d[l] = (mask >> l & 1) != 0 ? results[l] : d[l]; }
  }
}

// The same one lane after another, for operations without vector code; only running lanes are
// computed.
template <typename D, typename Value>
CULPRIT_INLINE void AssignEach(const Warp& w, D* d, Value value) {
  for (uint32_t mask = w.mask; mask != 0; mask &= mask - 1) {
    uint32_t l = static_cast<uint32_t>(__builtin_ctz(mask));
    d[l] = value(l);
  }
}

// Handlers by shape. An operation names its types: Out, In (of all sources unless A, B, C differ),
// and Do.
template <typename Op>
const Instruction* Unary(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  Assign(w, Lanes<typename Op::Out>(w, i->d), [=](uint32_t l) { return Op::Do(a[l]); });
  return i + 1;
}

template <typename Op>
const Instruction* Binary(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  const typename Op::In* b = Lanes<typename Op::In>(w, i->b);
  Assign(w, Lanes<typename Op::Out>(w, i->d), [=](uint32_t l) { return Op::Do(a[l], b[l]); });
  return i + 1;
}

template <typename Op>
const Instruction* Ternary(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  const typename Op::In* b = Lanes<typename Op::In>(w, i->b);
  const typename Op::Third* c = Lanes<typename Op::Third>(w, i->c);
  Assign(w, Lanes<typename Op::Out>(w, i->d), [=](uint32_t l) { return Op::Do(a[l], b[l], c[l]); });
  return i + 1;
}

// a and the lower 32 bits of b: shifts.
template <typename Op>
const Instruction* Shift(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  const uint32_t* b = Lanes<uint32_t>(w, i->b);
  Assign(w, Lanes<typename Op::Out>(w, i->d), [=](uint32_t l) { return Op::Do(a[l], b[l]); });
  return i + 1;
}

template <typename Op>
const Instruction* UnaryEach(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  AssignEach(w, Lanes<typename Op::Out>(w, i->d), [=](uint32_t l) { return Op::Do(a[l]); });
  return i + 1;
}

template <typename Op>
const Instruction* BinaryEach(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  const typename Op::In* b = Lanes<typename Op::In>(w, i->b);
  AssignEach(w, Lanes<typename Op::Out>(w, i->d), [=](uint32_t l) { return Op::Do(a[l], b[l]); });
  return i + 1;
}

template <typename Op>
const Instruction* TernaryEach(Warp& w, const Instruction* i) {
  const typename Op::In* a = Lanes<typename Op::In>(w, i->a);
  const typename Op::In* b = Lanes<typename Op::In>(w, i->b);
  const typename Op::Third* c = Lanes<typename Op::Third>(w, i->c);
  AssignEach(w, Lanes<typename Op::Out>(w, i->d),
             [=](uint32_t l) { return Op::Do(a[l], b[l], c[l]); });
  return i + 1;
}

// Emitting the shapes: operands 0, 1, 2, 3 of the instruction, all of `type` unless said otherwise.
CULPRIT_INLINE void EmitUnary(Lowering& lo, Handler handler, Type out, Type in) {
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  Place a = lo.Read(1, in);
  Place d = lo.Write(0, out);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
}

CULPRIT_INLINE void EmitBinary(Lowering& lo, Handler handler, Type out, Type in,
                               Type second = Type::kNone) {
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  Place a = lo.Read(1, in);
  Place b = lo.Read(2, second == Type::kNone ? in : second);
  Place d = lo.Write(0, out);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
}

CULPRIT_INLINE void EmitTernary(Lowering& lo, Handler handler, Type out, Type in,
                                Type third = Type::kNone) {
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  Place a = lo.Read(1, in);
  Place b = lo.Read(2, in);
  Place c = lo.Read(3, third == Type::kNone ? in : third);
  Place d = lo.Write(0, out);
  Instruction& i = lo.Emit(handler);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
}

#define PTX_OP(id, mnemonic, modifiers, types, operands, lowering) \
  void Lower##lowering(Lowering& lo);
#define PTX_MACHINE_OP(...)
#define PTX_UNSUPPORTED(...)
#include "fakedriver/exec/opcodes.def"
#undef PTX_OP
#undef PTX_MACHINE_OP
#undef PTX_UNSUPPORTED

// Parts of lowering functions that stand in files of their own.
void LowerAddCarry(Lowering& lo);
void LowerSubCarry(Lowering& lo);
void LowerMadCarry(Lowering& lo);
void LowerFloatAdd(Lowering& lo);
void LowerFloatSub(Lowering& lo);
void LowerFloatMul(Lowering& lo);
void LowerFloatDiv(Lowering& lo);
void LowerFloatAbs(Lowering& lo);
void LowerFloatNeg(Lowering& lo);
void LowerFloatMin(Lowering& lo);
void LowerFloatMax(Lowering& lo);
// Half precision, bf16 and packed forms; which operation is in the instruction.
void LowerHalf(Lowering& lo);
// Rounding modes other than to nearest; false if the instruction rounds to nearest.
bool LowerRounded(Lowering& lo);
void LowerApproximate(Lowering& lo);
// Conversions by kind of source and destination.
void LowerIntegerToInteger(Lowering& lo);
void LowerIntegerToFloat(Lowering& lo);
void LowerFloatToInteger(Lowering& lo);
void LowerFloatToFloat(Lowering& lo);
bool LowerEighths(Lowering& lo);  // false if no format has 8 bits
// d = a truncated to `source` and extended to d's width.
Handler ExtendHandler(Type source_register, Type source, Type destination_register);

const Instruction* Widen(Warp& w, const Instruction* i);
extern const LoweringTable kLoweringTable;

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_LANES_H_
