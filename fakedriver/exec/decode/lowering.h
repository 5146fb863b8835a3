// SPDX-License-Identifier: Apache-2.0
//
// Lowers the instructions of one function. The driver of the process (LowerKernel) walks the text;
// for each instruction the function named in opcodes.def chooses a handler and places for the
// operands through this class.
//
// Lowering functions for arithmetic stand beside their handlers in lanes/, which is compiled once
// for each instruction set. Nothing they use of this class is inline: code that the compiler might
// emit out of line must not exist in three variants.
#ifndef FAKEDRIVER_EXEC_DECODE_LOWERING_H_
#define FAKEDRIVER_EXEC_DECODE_LOWERING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fakedriver/exec/decode/control_flow.h"
#include "fakedriver/exec/machine/code.h"
#include "fakedriver/exec/machine/instruction.h"
#include "fakedriver/exec/reader/module_text.h"

namespace culprit::exec {

class Lowering;
using LoweringFunction = void (*)(Lowering&);

// One instruction set's lowering functions, by opcode.
struct LoweringTable {
  LoweringFunction functions[static_cast<size_t>(Opcode::kCount)];
  Handler widen;  // 32 bits a lane (a) to 64 (d), with zeros
};

// Thrown by Lowering; the kernel then cannot run.
struct LoweringError {
  uint32_t line;
  std::string message;
  bool invalid = false;  // the text is wrong; otherwise the machine lacks something
};

struct AddressPlaces {
  StateSpace space = StateSpace::kGeneric;
  Place base = 0;      // 64 bits a lane
  int64_t offset = 0;  // added to it
};

class Lowering {
 public:
  Lowering(const ModuleText& module, KernelCode& kernel, FunctionCode& code,
           const LoweringTable& table);

  void Run();

  // The instruction being lowered.
  const InstructionText& text() const;
  bool Has(Modifier m) const;
  Type type() const;                 // the first
  Type type(size_t position) const;  // kNone beyond the last
  size_t operand_count() const;
  const Operand& operand(size_t position) const;
  const Operand& member(const Operand& group, size_t position) const;
  const ModuleText& module() const;
  bool in_kernel() const;

  // Places. A source of the given type; literals, symbols and special registers become constants or
  // scratch values.
  Place Read(size_t position, Type type);
  Place Read(const Operand& operand, Type type);
  Place ReadPredicate(const Operand& operand, bool* negated);
  // A destination: its register must have the size of `type`. A sink gets a place that nobody
  // reads.
  Place Write(size_t position, Type type);
  Place Write(const Operand& operand, Type type);
  // For instructions that take registers wider than their type (ld, st, cvt).
  Type RegisterType(const Operand& operand) const;
  Place Scratch(uint32_t bytes_per_lane);
  Place Literal(uint64_t value, Type type);
  AddressPlaces Address(size_t position);
  StateSpace Space() const;  // from the modifiers; generic without one

  // The reference lives until the next Emit.
  Instruction& Emit(Handler handler);
  uint32_t NewMemorySite();
  uint32_t AddVector(const VectorInfo& info);
  uint32_t AddCall(CallInfo info);
  // Branches are settled when the function is complete.
  void EmitBranch(Place predicate, bool negated, bool uniform);
  void EmitIndexedBranch(Place index, const TargetList& list);
  void EmitReturn();
  const FunctionCode* Callee(uint32_t function);

  [[noreturn]] void Fail(const char* message) const;
  [[noreturn]] void FailArguments() const;

 private:
  // A branch whose destinations are known only when everything is lowered.
  struct Fixup {
    uint32_t instruction;
    uint32_t target = kNone;          // block, or
    uint32_t lowered_target = kNone;  // lowered position
    uint32_t branch =
        kNone;  // index into code.branches whose meeting point is that of block `meeting`, or
    uint32_t meeting = kNone;  // the lowered target when this is kNone
  };

  // Each instruction that is a constant of the launch is dropped, and its register gets the
  // constant's place. `writes`: how often each register is written.
  void FoldConstants();
  bool FoldOne(const std::vector<uint32_t>& writes);
  bool FoldMove();
  bool FoldParameterLoad(const std::vector<uint32_t>& writes);
  bool WrittenOnce(const Operand& operand, const std::vector<uint32_t>& writes) const;
  // The place of a source that is the same for the whole launch, or kNoPlace.
  Place FoldedSource(const Operand& source, Type type);
  static uint8_t ConstantSize(Type type);
  static bool IsClock(SpecialRegister r);
  void LowerOne(uint32_t position);
  void LowerGuarded();
  void Settle();
  static uint64_t LiteralValue(const Operand& operand, Type type);
  Place ConstantPlace(Constant constant);
  Place Special(SpecialRegister r);
  Place AddressOf(uint32_t variable, int64_t offset, Type type, bool generic);
  bool IsKernelParameter(const Variable& variable) const;

  const ModuleText& module_;
  KernelCode& kernel_;
  FunctionCode& code_;
  const LoweringTable& table_;
  const FunctionText& function_;
  ControlFlow flow_;
  std::vector<Place> places_;
  std::vector<bool> dropped_;
  std::vector<uint32_t> start_of_block_;  // lowered position, by block
  std::vector<Fixup> fixups_;
  std::vector<std::pair<uint32_t, const TargetList*>> indexed_;  // brx: branch, labels
  uint32_t position_ = 0;
  uint32_t scratch_base_ = 0;  // after the registers
  uint32_t scratch_ = 0;       // next free offset, for the instruction being lowered
};

// The table for the best instruction set of this machine. Overridden by the environment variable
// CULPRIT_EXEC_ISA (portable, avx2, avx512), for tests and measurements.
const LoweringTable& BestLoweringTable();
// All that this build and this processor have, by name.
std::vector<std::pair<const char*, const LoweringTable*>> LoweringTables();

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_DECODE_LOWERING_H_
