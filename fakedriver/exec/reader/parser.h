// SPDX-License-Identifier: Apache-2.0
//
// One text into a ModuleText. Several parsers may fill the same ModuleText, one after another, when
// texts are linked; names of one text are not seen by the next. Throws ParseError.
#ifndef FAKEDRIVER_EXEC_READER_PARSER_H_
#define FAKEDRIVER_EXEC_READER_PARSER_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fakedriver/exec/program.h"
#include "fakedriver/exec/reader/lexer.h"
#include "fakedriver/exec/reader/module_text.h"
#include "fakedriver/exec/reader/scope.h"

namespace culprit::exec {

class Parser {
 public:
  // `text` must live as long as `module`.
  Parser(std::string_view text, const LoadOptions& options, ModuleText& module)
      : lexer_(text), options_(options), module_(module) {}

  void ParseModule();

 private:
  // parse_module.cc
  void ParseVersion();
  void ParseTarget();
  void ParseFile();
  void ParseDirective();
  void ParseDeclaration();

  // parse_variable.cc
  struct Declarator {
    StateSpace space = StateSpace::kGlobal;
    Type type = Type::kNone;
    uint32_t align = 0;
    uint32_t vector = 1;
    bool managed = false;
    bool pointer = false;
  };
  Declarator ParseDeclarator(StateSpace space);
  Variable ParseArray(const Declarator& declarator, std::string_view name);
  void ParseModuleVariables(StateSpace space, Linkage linkage);
  void ParseFunctionVariables(StateSpace space);
  void ParseRegisters();
  void ParseInitializer(const Declarator& declarator, GlobalInfo& global);
  void ParseInitialElement(const Declarator& declarator, GlobalInfo& global, uint64_t& at);
  void PlaceInFrame(Variable& variable);

  // parse_function.cc
  void ParseFunction(bool entry, Linkage linkage);
  void ParseParameterList(std::vector<uint32_t>& variables, bool declare);
  void ParseFunctionAttributes(FunctionText& function);
  void ParseBody();
  void ParseStatement();
  void ParseBodyDirective(const Token& directive);
  void ParseLoc();
  void ParseTargetList(std::string_view label, std::string_view directive);
  std::array<uint32_t, 3> ParseThreads();
  void SettleLabels();

  // parse_instruction.cc
  void ParseInstruction(std::string_view mnemonic, uint32_t line, uint32_t guard, bool negated);
  void ParseSuffixes(InstructionText& instruction);
  void Check(const InstructionText& instruction);

  // check_form.cc
  void CheckForm(const InstructionText& instruction);

  // parse_operand.cc
  Operand ParseOperand();
  Operand ParseSimpleOperand();
  Operand ParseName(std::string_view name);
  void ParseComponent(std::string_view suffix, Operand& operand);
  Operand ParseAddress();
  Operand ParseGroup(char close, Operand::Kind kind);
  Operand ParseNumber(bool minus);
  int64_t ParseConstant();
  uint32_t ParseRegister();
  Operand Group(Operand::Kind kind, const std::vector<Operand>& members);

  [[noreturn]] void FailAt(uint32_t line, std::string message) const {
    throw ParseError{line, std::move(message)};
  }

  static constexpr uint32_t kDeepestNesting = 16;

  struct PendingLabel {
    uint32_t scope;
    uint32_t line;
    std::string_view name;
    uint32_t operand;      // index into operands, or
    uint32_t target_list;  // index into target_lists
    uint32_t position;     // in that list
  };

  Lexer lexer_;
  const LoadOptions& options_;
  ModuleText& module_;
  std::unordered_map<std::string_view, uint32_t> functions_;
  std::unordered_map<std::string_view, uint32_t> variables_;
  // While in a function body:
  uint32_t function_ = kNone;
  Scopes scopes_;
  std::vector<PendingLabel> pending_labels_;
  std::vector<std::string_view> unknown_names_;
  uint32_t source_line_ = 0;
  uint32_t frame_offset_ = 0;
  uint32_t depth_ = 0;  // of braces in operands and initial values
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_READER_PARSER_H_
