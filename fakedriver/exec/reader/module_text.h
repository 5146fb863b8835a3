// SPDX-License-Identifier: Apache-2.0
//
// A parsed PTX text: names resolved, nothing lowered. Vectors are flat and refer to each other by
// index, so that a module of hundreds of kernels parses without an allocation per instruction.
#ifndef FAKEDRIVER_EXEC_READER_MODULE_TEXT_H_
#define FAKEDRIVER_EXEC_READER_MODULE_TEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "fakedriver/exec/program.h"
#include "fakedriver/exec/reader/opcode.h"
#include "fakedriver/exec/reader/special_register.h"
#include "fakedriver/exec/reader/type.h"

namespace culprit::exec {

inline constexpr uint32_t kNone = UINT32_MAX;

struct Operand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,  // index
    kNegative,  // index of a register behind a minus sign, which vmad alone takes
    kInteger,   // value
    kSingle,    // value: bits of an f32 literal (0f...)
    kDouble,    // value: bits of an f64 literal (0d... or decimal)
    kVariable,  // index into variables, value is the offset added
    kFunction,  // index into functions
    kSpecial,   // index is a SpecialRegister
    kLabel,     // index of an instruction of the same function, counted from its first
    kTargets,   // index into target_lists: .branchtargets, .calltargets or .callprototype
    kAddress,   // [base + value], see `base`
    kVector,    // {a, b, ...}: `count` operands from `index`
    kPair,      // a|b: two operands from `index`
    kBracket,   // [a, {b, c}]: `count` operands from `index`
    kList,      // (a, b): `count` operands from `index`
    kSink,      // _
  };
  enum class Base : uint8_t { kNothing, kRegister, kVariable };

  Kind kind = Kind::kNone;
  Base base = Base::kNothing;  // of kAddress; `index` is the register or variable
  bool negated = false;        // !p
  uint8_t count = 0;
  uint32_t index = kNone;
  int64_t value = 0;
};

struct InstructionText {
  uint32_t line = 0;
  Opcode opcode = Opcode::kCount;
  bool guard_negated = false;
  uint8_t type_count = 0;
  uint32_t guard = kNone;  // register
  uint32_t first_operand = 0;
  uint8_t operand_count = 0;
  uint32_t source_line = 0;  // index into ModuleText::source_lines
  std::string_view name;     // "ld.global.u32"
  std::array<Type, 4> types{};
  ModifierSet modifiers;

  bool Has(Modifier m) const { return modifiers.Has(m); }
  Type type() const { return types[0]; }
  Type LastType() const { return type_count == 0 ? Type::kNone : types[type_count - 1]; }
};

enum class Linkage : uint8_t { kInternal, kVisible, kExtern, kWeak, kCommon };

struct Variable {
  std::string_view name;
  StateSpace space = StateSpace::kGlobal;
  Type type = Type::kNone;
  Linkage linkage = Linkage::kInternal;
  uint32_t align = 1;
  uint64_t size = 0;          // bytes; 0 for an array of unknown length
  uint32_t function = kNone;  // that declares it, or kNone at module scope
  uint32_t offset =
      0;  // parameters: in their list; local and .param of a body: in the frame; kRegister: number
  uint32_t definition = kNone;  // of an .extern: the variable it means
  uint32_t global = kNone;      // index into Program::globals() of .global and .const
  uint32_t line = 0;
  bool dynamic = false;  // .extern .shared
};

struct SourceLine {
  uint32_t file = 0;  // index into ModuleText::files, 0 is none
  uint32_t line = 0;
};

struct FunctionText {
  std::string_view name;
  bool entry = false;
  bool has_body = false;
  uint32_t definition = kNone;  // of a declaration: the function it means
  Linkage linkage = Linkage::kInternal;
  uint32_t line = 0;
  std::vector<uint32_t> parameters;  // variables
  std::vector<uint32_t>
      results;  // variables; those in kRegister space belong to the ABI of the first PTX versions
  uint32_t frame_bytes =
      0;  // .local and .param of the body, scopes that exclude each other overlaid
  uint32_t local_bytes = 0;     // .local alone
  std::vector<Type> registers;  // by register number
  uint32_t first_instruction = 0;
  uint32_t instruction_count = 0;
  uint32_t first_operand = 0;
  uint32_t operand_end = 0;
  std::array<uint32_t, 3> required_threads{};
  std::array<uint32_t, 3> maximum_threads{};
  std::array<uint32_t, 3> required_cluster{};
};

// Labels of a brx, callees of an indirect call, or the shape of a call.
struct TargetList {
  std::vector<uint32_t> targets;     // instructions of the function, or functions
  std::vector<uint32_t> parameters;  // variables, for .callprototype
  std::vector<uint32_t> results;
};

struct ModuleText {
  std::deque<std::string> storage;  // texts that the views look into
  uint32_t version = 0;
  uint32_t target_sm = 0;
  bool debug = false;
  std::vector<std::string_view> files;  // by .file number
  std::vector<SourceLine> source_lines;
  std::vector<Variable> variables;
  std::vector<GlobalInfo> globals;
  std::vector<FunctionText> functions;
  std::vector<InstructionText> instructions;
  std::vector<Operand> operands;
  std::vector<TargetList> target_lists;
  std::vector<uint32_t> entries;  // functions, by kernel index
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_READER_MODULE_TEXT_H_
