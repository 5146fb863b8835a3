// SPDX-License-Identifier: Apache-2.0
//
// ld and st: which handler (load.cc, store.cc) runs an access, and on which places.
#include "fakedriver/exec/lanes/memory_access.h"
#include "fakedriver/exec/machine/control.h"

namespace culprit::exec::CULPRIT_LANES {
namespace {

// A register operand's width; literals and sinks have that of the instruction.
Type HolderOf(const Lowering& lo, const Operand& operand, Type type) {
  Type holder = lo.RegisterType(operand);
  if (holder == Type::kNone) return Bits(type) < 16 ? Type::kU16 : type;
  if (!Agrees(holder, type) || Bits(holder) < Bits(type)) lo.FailArguments();
  return holder;
}

Type BitsOf(Type holder) {
  return Bits(holder) == 64 ? Type::kB64 : Bits(holder) == 32 ? Type::kB32 : Type::kB16;
}

void LowerAccess(Lowering& lo, bool load) {
  Type type = lo.type();
  const Operand& value = lo.operand(load ? 0 : 1);
  const bool vector = value.kind == Operand::Kind::kVector;
  const uint32_t count = vector ? value.count : 1;
  if (count != 1 && count != 2 && count != 4 && count != 8) lo.FailArguments();
  AddressPlaces address = lo.Address(load ? 1 : 0);
  Instruction access;
  access.a = address.base;
  access.immediate = address.offset;
  access.c = count;
  Type holder = HolderOf(lo, vector ? lo.member(value, 0) : value, type);
  if (vector) {
    VectorInfo elements;
    elements.count = static_cast<uint8_t>(count);
    for (uint32_t n = 0; n < count; ++n) {
      const Operand& element = lo.member(value, n);
      if (element.kind == Operand::Kind::kRegister) holder = HolderOf(lo, element, type);
    }
    const Type bits = BitsOf(holder);  // the registers may be declared differently
    for (uint32_t n = 0; n < count; ++n) {
      const Operand& element = lo.member(value, n);
      elements.places[n] = load ? lo.Write(element, bits) : lo.Read(element, bits);
    }
    access.b = lo.AddVector(elements);
    // One register stands for the element when there is one only.
    if (count == 1) access.d = elements.places[0];
  } else {
    access.d = load ? lo.Write(value, holder) : lo.Read(value, holder);
  }
  Handler handler = load ? LoadHandler(address.space, type, Bits(holder))
                         : StoreHandler(address.space, type, Bits(holder));
  if (handler == nullptr) lo.Fail("this form of the instruction is not supported");
  bool ordered = lo.Has(Modifier::kVolatile) || lo.Has(Modifier::kRelaxed) ||
                 lo.Has(Modifier::kAcquire) || lo.Has(Modifier::kRelease) ||
                 lo.Has(Modifier::kMmio) || lo.Has(Modifier::kSc);
  if (ordered) lo.Emit(machine::OrderedAccess);
  access.extra = lo.NewMemorySite();
  Instruction& i = lo.Emit(handler);
  access.handler = handler;
  access.text = i.text;
  i = access;
}

}  // namespace

void LowerLd(Lowering& lo) { LowerAccess(lo, true); }
void LowerSt(Lowering& lo) { LowerAccess(lo, false); }

}  // namespace culprit::exec::CULPRIT_LANES
