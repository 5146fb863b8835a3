// SPDX-License-Identifier: Apache-2.0
//
// Registers that are constants of the launch to the constant area: one written once with a literal,
// a parameter or an address needs neither an instruction nor a place in the frame.
#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/decode/register_places.h"

namespace culprit::exec {
void Lowering::FoldConstants() {
  std::vector<uint32_t> writes(function_.registers.size());
  for (uint32_t n = 0; n < function_.instruction_count; ++n) {
    position_ = n;
    ForEachRegister(module_, text(),
                    [&](uint32_t r, bool written) { writes[r] += written ? 1 : 0; });
  }
  for (const std::vector<uint32_t>* list : {&function_.parameters, &function_.results}) {
    for (uint32_t v : *list) {
      if (module_.variables[v].space == StateSpace::kRegister)
        writes[module_.variables[v].offset] += 2;
    }
  }
  for (uint32_t n = 0; n < function_.instruction_count; ++n) {
    position_ = n;
    dropped_[n] = FoldOne(writes);
  }
}

Place Lowering::FoldedSource(const Operand& source, Type type) {
  switch (source.kind) {
    case Operand::Kind::kInteger:
    case Operand::Kind::kSingle:
    case Operand::Kind::kDouble:
    case Operand::Kind::kFunction:
      return Read(source, type);
    case Operand::Kind::kRegister:
      return Fits(RegisterType(source), type) ? places_[source.index] : kNoPlace;
    case Operand::Kind::kSpecial: {
      SpecialRegister r = static_cast<SpecialRegister>(source.index);
      if (IsClock(r) || kSpecialRegisters[source.index].bits != Bits(type)) return kNoPlace;
      return Special(r);
    }
    case Operand::Kind::kVariable: {
      const Variable& variable = module_.variables[source.index];
      bool in_frame = variable.space == StateSpace::kLocal || variable.space == StateSpace::kParam;
      if (in_frame && !in_kernel()) return kNoPlace;
      return Read(source, type);
    }
    default:
      return kNoPlace;
  }
}

bool Lowering::WrittenOnce(const Operand& operand, const std::vector<uint32_t>& writes) const {
  return operand.kind == Operand::Kind::kRegister && writes[operand.index] == 1 &&
         places_[operand.index] == kNoPlace;
}

bool Lowering::FoldOne(const std::vector<uint32_t>& writes) {
  const InstructionText& i = text();
  if (i.guard != kNone || i.operand_count < 2) return false;
  const bool address = i.Has(Modifier::kGlobal) || i.Has(Modifier::kConst);
  if ((i.opcode == Opcode::kMov && i.type() != Type::kPred) ||
      (i.opcode == Opcode::kCvta && address)) {
    return WrittenOnce(operand(0), writes) && FoldMove();
  }
  const bool parameter = i.Has(Modifier::kParam) || i.Has(Modifier::kParamEntry);
  return i.opcode == Opcode::kLd && parameter && in_kernel() && FoldParameterLoad(writes);
}

bool Lowering::FoldMove() {
  const Operand& destination = operand(0);
  const Type type = text().type();
  if (!Fits(RegisterType(destination), type)) return false;
  const Place place = FoldedSource(operand(1), type);
  if (place == kNoPlace) return false;
  places_[destination.index] = place;
  return true;
}

bool Lowering::FoldParameterLoad(const std::vector<uint32_t>& writes) {
  const Type type = text().type();
  const Operand& destination = operand(0);
  const Operand& address = operand(1);
  if (address.kind != Operand::Kind::kAddress || address.base != Operand::Base::kVariable)
    return false;
  const Variable& variable = module_.variables[address.index];
  if (!IsKernelParameter(variable)) return false;
  const uint32_t count = destination.kind == Operand::Kind::kVector ? destination.count : 1;
  const uint32_t bytes = Bytes(type);
  const int64_t offset = int64_t{variable.offset} + address.value;
  if (bytes == 0 || bytes > 8 || address.value < 0 ||
      static_cast<uint64_t>(address.value) + uint64_t{bytes} * count > variable.size) {
    return false;
  }
  const auto element = [&](uint32_t n) -> const Operand& {
    return destination.kind == Operand::Kind::kVector ? member(destination, n) : destination;
  };
  for (uint32_t n = 0; n < count; ++n) {
    if (element(n).kind == Operand::Kind::kSink) continue;
    const Type held = RegisterType(element(n));
    if (!WrittenOnce(element(n), writes) || Bits(held) < Bits(type) || !Agrees(held, type)) {
      return false;
    }
  }
  for (uint32_t n = 0; n < count; ++n) {
    if (element(n).kind == Operand::Kind::kSink) continue;
    Constant constant{.kind = Constant::Kind::kParameter};
    constant.size = ConstantSize(RegisterType(element(n)));
    constant.bytes = static_cast<uint8_t>(bytes);
    constant.sign_extended = IsSigned(type);
    constant.value = static_cast<uint64_t>(offset) + uint64_t{bytes} * n;
    places_[element(n).index] = ConstantPlace(constant);
  }
  return true;
}

}  // namespace culprit::exec
