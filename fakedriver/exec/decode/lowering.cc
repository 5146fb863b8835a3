// SPDX-License-Identifier: Apache-2.0
//
// The walk over a function: blocks, guards, branches and the end. Operands are in
// lower_operands.cc.
#include "fakedriver/exec/decode/lowering.h"

#include <algorithm>

#include "fakedriver/exec/decode/register_places.h"
#include "fakedriver/exec/machine/control.h"

namespace culprit::exec {
namespace {

// These may put the running lanes aside, which a guard's temporary mask would not survive.
bool NeedsBranchAround(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCall:
    case Opcode::kBar:
    case Opcode::kBarrier:
    case Opcode::kShfl:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kRedux:
    case Opcode::kElect:
    case Opcode::kLdmatrix:
    case Opcode::kStmatrix:
    case Opcode::kMovmatrix:
    case Opcode::kBrx:
      return true;
    default:
      return false;
  }
}

bool HandlesGuard(Opcode opcode) {
  return opcode == Opcode::kBra || opcode == Opcode::kRet || opcode == Opcode::kExit;
}

}  // namespace

Lowering::Lowering(const ModuleText& module, KernelCode& kernel, FunctionCode& code,
                   const LoweringTable& table)
    : module_(module), kernel_(kernel), code_(code), table_(table), function_(*code.text) {}

void Lowering::Run() {
  flow_ = AnalyseControlFlow(module_, function_);
  places_.assign(function_.registers.size(), kNoPlace);
  dropped_.assign(function_.instruction_count, false);
  FoldConstants();
  std::vector<uint32_t> pinned;
  for (const std::vector<uint32_t>* list : {&function_.parameters, &function_.results}) {
    for (uint32_t v : *list) {
      if (module_.variables[v].space == StateSpace::kRegister)
        pinned.push_back(module_.variables[v].offset);
    }
  }
  RegisterPlaces registers = PlaceRegisters(module_, function_, flow_, places_, dropped_, pinned);
  places_ = std::move(registers.places);
  code_.zeroed = std::move(registers.zeroed);
  code_.slot_bytes = scratch_base_ = registers.slot_bytes;
  code_.frame_bytes = function_.frame_bytes;
  for (uint32_t b = 0; b < flow_.blocks.size(); ++b) {
    const BasicBlock& block = flow_.blocks[b];
    start_of_block_.push_back(static_cast<uint32_t>(code_.instructions.size()));
    position_ = block.begin;
    if (block.is_meeting) Emit(machine::Meet);
    for (uint32_t n = block.begin; n < block.end; ++n) LowerOne(n);
  }
  position_ = function_.instruction_count;
  Emit(function_.entry ? machine::EndKernel : machine::Return);
  code_.slot_bytes = std::max(64u, code_.slot_bytes);
  Settle();
  if (function_.entry) return;
  auto describe = [&](const std::vector<uint32_t>& variables, std::vector<PassedValue>& values) {
    for (uint32_t v : variables) {
      const Variable& variable = module_.variables[v];
      PassedValue value;
      value.in_register = variable.space == StateSpace::kRegister;
      if (value.in_register) value.place = places_[variable.offset];
      value.offset = variable.offset;
      value.size = std::max(
          1u, value.in_register ? Bytes(variable.type) : static_cast<uint32_t>(variable.size));
      values.push_back(value);
    }
  };
  describe(function_.parameters, code_.parameters);
  describe(function_.results, code_.results);
}

void Lowering::LowerOne(uint32_t position) {
  if (dropped_[position]) return;
  position_ = position;
  scratch_ = scratch_base_;
  const InstructionText& i = text();
  if (!Info(i.opcode).unsupported.empty()) {
    Emit(machine::Unsupported);
    return;
  }
  const size_t emitted = code_.instructions.size();
  try {
    if (i.guard != kNone && !HandlesGuard(i.opcode)) {
      LowerGuarded();
    } else {
      table_.functions[static_cast<size_t>(i.opcode)](*this);
    }
  } catch (const LoweringError& error) {
    // A form that the machine lacks is no fault of the text; it faults when it runs.
    if (error.invalid) throw;
    code_.instructions.resize(emitted);
    Emit(machine::Unsupported);
  }
}

void Lowering::LowerGuarded() {
  const InstructionText& i = text();
  const uint32_t first = static_cast<uint32_t>(code_.instructions.size());
  if (NeedsBranchAround(i.opcode)) {
    Instruction& around = Emit(machine::BranchHandler(!i.guard_negated, false));
    around.a = places_[i.guard];
    around.extra = static_cast<uint32_t>(code_.branches.size());
    code_.branches.emplace_back();
    table_.functions[static_cast<size_t>(i.opcode)](*this);
    uint32_t meeting = static_cast<uint32_t>(code_.instructions.size());
    Emit(machine::Meet);
    Fixup fixup{.instruction = first};
    fixup.lowered_target = meeting;
    fixup.branch = code_.instructions[first].extra;
    fixups_.push_back(fixup);
    return;
  }
  Instruction& guard = Emit(i.guard_negated ? machine::GuardNot : machine::Guard);
  guard.a = places_[i.guard];
  table_.functions[static_cast<size_t>(i.opcode)](*this);
  code_.instructions[first].extra = static_cast<uint32_t>(code_.instructions.size()) - first - 1;
}

const InstructionText& Lowering::text() const {
  return module_.instructions[function_.first_instruction + position_];
}

Instruction& Lowering::Emit(Handler handler) {
  Instruction& i = code_.instructions.emplace_back();
  i.handler = handler;
  i.text = position_;
  return i;
}

void Lowering::EmitBranch(Place predicate, bool negated, bool uniform) {
  const Operand& label = operand(0);
  if (label.kind != Operand::Kind::kLabel) FailArguments();
  const uint32_t from = flow_.block_of[position_];
  const bool back = label.index <= position_;
  const uint32_t target = flow_.block_of[label.index];
  Fixup fixup{.instruction = static_cast<uint32_t>(code_.instructions.size())};
  fixup.target = target;
  if (uniform) {
    if (target == from + 1 && !back) return;
    Emit(back ? machine::JumpBack : machine::Jump);
  } else {
    Instruction& branch = Emit(machine::BranchHandler(negated, back));
    branch.a = predicate;
    branch.extra = fixup.branch = static_cast<uint32_t>(code_.branches.size());
    fixup.meeting = flow_.blocks[from].meeting;
    code_.branches.emplace_back();
  }
  fixups_.push_back(fixup);
}

void Lowering::EmitIndexedBranch(Place index, const TargetList& list) {
  Fixup fixup{.instruction = static_cast<uint32_t>(code_.instructions.size())};
  Instruction& branch = Emit(machine::BranchIndexed);
  branch.a = index;
  branch.extra = fixup.branch = static_cast<uint32_t>(code_.branches.size());
  fixup.meeting = flow_.blocks[flow_.block_of[position_]].meeting;
  code_.branches.emplace_back();
  fixups_.push_back(fixup);
  indexed_.push_back({fixup.branch, &list});
}

void Lowering::EmitReturn() {
  const InstructionText& i = text();
  const uint32_t exit = flow_.exit();
  if (i.guard == kNone && flow_.block_of[position_] + 1 == exit) return;
  Fixup fixup{.instruction = static_cast<uint32_t>(code_.instructions.size())};
  fixup.target = exit;
  if (i.guard == kNone) {
    Emit(machine::Jump);
  } else {
    Instruction& branch = Emit(machine::BranchHandler(i.guard_negated, false));
    branch.a = places_[i.guard];
    branch.extra = fixup.branch = static_cast<uint32_t>(code_.branches.size());
    fixup.meeting = flow_.blocks[flow_.block_of[position_]].meeting;
    code_.branches.emplace_back();
  }
  fixups_.push_back(fixup);
}

void Lowering::Settle() {
  const Instruction* code = code_.instructions.data();
  for (const Fixup& fixup : fixups_) {
    const Instruction* target = nullptr;
    if (fixup.target != kNone) target = code + start_of_block_[fixup.target];
    if (fixup.lowered_target != kNone) target = code + fixup.lowered_target;
    if (target != nullptr) code_.instructions[fixup.instruction].target = target;
    if (fixup.branch == kNone) continue;
    BranchInfo& branch = code_.branches[fixup.branch];
    if (fixup.meeting != kNone) branch.reconvergence = code + start_of_block_[fixup.meeting];
    if (fixup.lowered_target != kNone) branch.reconvergence = target;
  }
  for (const auto& [branch, list] : indexed_) {
    for (uint32_t target : list->targets) {
      code_.branches[branch].targets.push_back(code + start_of_block_[flow_.block_of[target]]);
    }
  }
}

void Lowering::Fail(const char* message) const {
  throw LoweringError{text().line, std::string(text().name) + ": " + message, false};
}

void Lowering::FailArguments() const {
  std::string mnemonic(Info(text().opcode).mnemonic);
  throw LoweringError{text().line, "Arguments mismatch for instruction '" + mnemonic + "'", true};
}

}  // namespace culprit::exec
