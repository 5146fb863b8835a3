// SPDX-License-Identifier: Apache-2.0
//
// Operands to places.
#include <algorithm>
#include <bit>

#include "fakedriver/exec/decode/lowering.h"
#include "fakedriver/exec/decode/register_places.h"
#include "fakedriver/exec/machine/address_windows.h"
#include "fakedriver/exec/machine/control.h"

namespace culprit::exec {
namespace {

bool IsUniformSpecial(SpecialRegister r) {
  switch (r) {
    case SpecialRegister::kNtidX:
    case SpecialRegister::kNtidY:
    case SpecialRegister::kNtidZ:
    case SpecialRegister::kNtidW:
    case SpecialRegister::kNctaidX:
    case SpecialRegister::kNctaidY:
    case SpecialRegister::kNctaidZ:
    case SpecialRegister::kNctaidW:
    case SpecialRegister::kNwarpid:
    case SpecialRegister::kNsmid:
    case SpecialRegister::kGridid:
    case SpecialRegister::kDynamicSmemSize:
    case SpecialRegister::kTotalSmemSize:
    case SpecialRegister::kAggrSmemSize:
    case SpecialRegister::kReservedSmemOffsetBegin:
    case SpecialRegister::kReservedSmemOffsetEnd:
    case SpecialRegister::kReservedSmemOffsetCap:
    case SpecialRegister::kNclusteridX:
    case SpecialRegister::kNclusteridY:
    case SpecialRegister::kNclusteridZ:
    case SpecialRegister::kClusterNctaidX:
    case SpecialRegister::kClusterNctaidY:
    case SpecialRegister::kClusterNctaidZ:
    case SpecialRegister::kClusterNctarank:
    case SpecialRegister::kIsExplicitCluster:
    case SpecialRegister::kEnvreg1:
    case SpecialRegister::kEnvreg2:
      return true;
    default:
      return false;
  }
}

}  // namespace

uint8_t Lowering::ConstantSize(Type type) {
  return type == Type::kPred ? 1 : static_cast<uint8_t>(std::max(2u, Bytes(type)));
}

Place Lowering::ConstantPlace(Constant constant) {
  for (const Constant& known : kernel_.constants) {
    if (known.SameValue(constant)) return MakePlace(kConstantArea, known.offset);
  }
  constant.offset = kernel_.constant_bytes;
  kernel_.constant_bytes += std::max<uint32_t>(64, constant.size == 1 ? 4 : constant.size * kLanes);
  kernel_.constants.push_back(constant);
  return MakePlace(kConstantArea, constant.offset);
}

Place Lowering::Literal(uint64_t value, Type type) {
  Constant constant{.kind = Constant::Kind::kLiteral, .size = ConstantSize(type)};
  uint32_t bits = Bits(type);
  constant.value = bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
  if (type == Type::kPred) constant.value = value != 0 ? UINT32_MAX : 0;
  return ConstantPlace(constant);
}

uint64_t Lowering::LiteralValue(const Operand& operand, Type type) {
  uint64_t bits = static_cast<uint64_t>(operand.value);
  if (type == Type::kF32 && operand.kind == Operand::Kind::kDouble) {
    return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  if (type == Type::kF64 && operand.kind == Operand::Kind::kSingle) {
    return std::bit_cast<uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
  }
  return bits;
}

bool Lowering::IsClock(SpecialRegister r) {
  switch (r) {
    case SpecialRegister::kClock:
    case SpecialRegister::kClockHi:
    case SpecialRegister::kClock64:
    case SpecialRegister::kGlobaltimer:
    case SpecialRegister::kGlobaltimerLo:
    case SpecialRegister::kGlobaltimerHi:
      return true;
    default:
      return false;
  }
}

Place Lowering::Special(SpecialRegister r) {
  if (!IsUniformSpecial(r)) return WarpPlace(r);
  uint8_t bits = kSpecialRegisters[static_cast<size_t>(r)].bits;
  Constant constant{.kind = Constant::Kind::kSpecial};
  constant.size = bits == 1 ? 1 : bits / 8;
  constant.index = static_cast<uint32_t>(r);
  return ConstantPlace(constant);
}

bool Lowering::IsKernelParameter(const Variable& variable) const {
  if (variable.space != StateSpace::kParam || !in_kernel()) return false;
  for (uint32_t parameter : function_.parameters) {
    if (&module_.variables[parameter] == &variable) return true;
  }
  return false;
}

// The address of a variable. Addresses of .param variables are generic always: they may be the
// kernel's parameters or part of the frame, and instructions on them find out.
Place Lowering::AddressOf(uint32_t index, int64_t offset, Type type, bool generic) {
  if (module_.variables[index].definition != kNone) index = module_.variables[index].definition;
  const Variable& variable = module_.variables[index];
  uint64_t at = static_cast<uint64_t>(offset);
  switch (variable.space) {
    case StateSpace::kGlobal:
    case StateSpace::kConst: {
      if (variable.global == kNone) Fail("the symbol has no definition");
      Constant constant{
          .kind = Constant::Kind::kGlobal, .size = ConstantSize(type), .index = variable.global};
      constant.value = at;
      return ConstantPlace(constant);
    }
    case StateSpace::kShared:
      at += kernel_.shared_offsets[index];
      return Literal(generic ? at + kSharedWindow : at, type);
    case StateSpace::kParam:
      if (IsKernelParameter(variable)) return Literal(at + variable.offset + kParamWindow, type);
      generic = true;
      [[fallthrough]];
    case StateSpace::kLocal: {
      at += variable.offset + (generic ? kLocalWindow : 0);
      if (in_kernel()) return Literal(at, type);
      if (Bits(type) != 64 && generic) FailArguments();
      Place place = Scratch(8);
      Instruction& i = Emit(Bits(type) == 64 ? machine::FrameAddress64 : machine::FrameAddress32);
      i.d = place;
      i.immediate = static_cast<int64_t>(at);
      return place;
    }
    default:
      FailArguments();
  }
}

Place Lowering::Read(size_t position, Type type) { return Read(operand(position), type); }

Place Lowering::Read(const Operand& source, Type type) {
  switch (source.kind) {
    case Operand::Kind::kRegister:
      if (source.negated || !Fits(RegisterType(source), type)) FailArguments();
      return places_[source.index];
    case Operand::Kind::kInteger:
    case Operand::Kind::kSingle:
    case Operand::Kind::kDouble:
      return Literal(LiteralValue(source, type), type);
    case Operand::Kind::kVariable:
      return AddressOf(source.index, source.value, type, false);
    case Operand::Kind::kFunction:
      return Literal(kCodeWindow + (uint64_t{source.index} + 1) * kCodeStep, type);
    case Operand::Kind::kSpecial: {
      SpecialRegister r = static_cast<SpecialRegister>(source.index);
      if (kSpecialRegisters[source.index].bits != Bits(type)) FailArguments();
      if (!IsClock(r)) return Special(r);
      Place place = Scratch(Bytes(type));
      Instruction& i = Emit(machine::ReadClock);
      i.d = place;
      i.extra = source.index;
      return place;
    }
    case Operand::Kind::kSink:
      return Literal(0, type);
    default:
      FailArguments();
  }
}

Place Lowering::ReadPredicate(const Operand& source, bool* negated) {
  *negated = source.negated;
  if (source.kind == Operand::Kind::kInteger) return Literal(source.value != 0, Type::kPred);
  if (source.kind != Operand::Kind::kRegister || RegisterType(source) != Type::kPred)
    FailArguments();
  return places_[source.index];
}

Place Lowering::Write(size_t position, Type type) { return Write(operand(position), type); }

Place Lowering::Write(const Operand& destination, Type type) {
  if (destination.kind == Operand::Kind::kSink) return Scratch(std::max(1u, Bytes(type)));
  if (destination.kind != Operand::Kind::kRegister || !Fits(RegisterType(destination), type))
    FailArguments();
  return places_[destination.index];
}

Type Lowering::RegisterType(const Operand& operand) const {
  return operand.kind == Operand::Kind::kRegister ? function_.registers[operand.index]
                                                  : Type::kNone;
}

Place Lowering::Scratch(uint32_t bytes_per_lane) {
  Place place = MakePlace(kRegisterArea, scratch_);
  scratch_ += std::max(64u, bytes_per_lane * kLanes);
  code_.slot_bytes = std::max(code_.slot_bytes, scratch_);
  return place;
}

StateSpace Lowering::Space() const {
  if (Has(Modifier::kGlobal)) return StateSpace::kGlobal;
  if (Has(Modifier::kShared) || Has(Modifier::kSharedCta) || Has(Modifier::kSharedCluster))
    return StateSpace::kShared;
  if (Has(Modifier::kLocal)) return StateSpace::kLocal;
  if (Has(Modifier::kConst)) return StateSpace::kConst;
  if (Has(Modifier::kParam) || Has(Modifier::kParamEntry) || Has(Modifier::kParamFunc))
    return StateSpace::kParam;
  return StateSpace::kGeneric;
}

AddressPlaces Lowering::Address(size_t position) {
  const Operand& address = operand(position);
  if (address.kind != Operand::Kind::kAddress) FailArguments();
  AddressPlaces result;
  result.space = Space();
  if (result.space == StateSpace::kConst) result.space = StateSpace::kGlobal;
  switch (address.base) {
    case Operand::Base::kNothing:
      result.base = Literal(static_cast<uint64_t>(address.value), Type::kU64);
      break;
    case Operand::Base::kVariable:
      result.base =
          AddressOf(address.index, address.value, Type::kU64, result.space == StateSpace::kGeneric);
      break;
    case Operand::Base::kRegister: {
      Operand base;
      base.kind = Operand::Kind::kRegister;
      base.index = address.index;
      result.offset = address.value;
      Type type = RegisterType(base);
      if (Bits(type) == 64) {
        result.base = places_[address.index];
      } else if (Bits(type) == 32) {
        result.base = Scratch(8);
        Place narrow = places_[address.index];
        Instruction& widen = Emit(table_.widen);
        widen.d = result.base;
        widen.a = narrow;
      } else {
        FailArguments();
      }
    }
  }
  if (result.space == StateSpace::kParam) result.space = StateSpace::kGeneric;
  return result;
}

bool Lowering::Has(Modifier m) const { return text().Has(m); }
Type Lowering::type() const { return text().types[0]; }
Type Lowering::type(size_t position) const {
  return position < text().types.size() ? text().types[position] : Type::kNone;
}
size_t Lowering::operand_count() const { return text().operand_count; }
const Operand& Lowering::operand(size_t position) const {
  if (position >= text().operand_count) FailArguments();
  return module_.operands[text().first_operand + position];
}
const Operand& Lowering::member(const Operand& group, size_t position) const {
  return module_.operands[group.index + position];
}
const ModuleText& Lowering::module() const { return module_; }
bool Lowering::in_kernel() const { return function_.entry; }
uint32_t Lowering::NewMemorySite() { return kernel_.memory_sites++; }

uint32_t Lowering::AddVector(const VectorInfo& info) {
  code_.vectors.push_back(info);
  return static_cast<uint32_t>(code_.vectors.size() - 1);
}

uint32_t Lowering::AddCall(CallInfo info) {
  code_.calls.push_back(std::move(info));
  return static_cast<uint32_t>(code_.calls.size() - 1);
}

const FunctionCode* Lowering::Callee(uint32_t function) { return kernel_.by_number[function]; }

}  // namespace culprit::exec
