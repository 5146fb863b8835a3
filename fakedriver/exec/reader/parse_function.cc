// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "fakedriver/exec/reader/parser.h"

namespace culprit::exec {
namespace {

uint32_t AlignUp(uint32_t value, uint32_t align) { return (value + align - 1) / align * align; }

}  // namespace

void Parser::ParseFunction(bool entry, Linkage linkage) {
  FunctionText function;
  function.entry = entry;
  function.linkage = linkage;
  function.line = lexer_.Peek().line;
  scopes_ = Scopes();
  scopes_.Open();
  // Parameters are declared while the function is the current one; its number is known before its
  // name.
  function_ = static_cast<uint32_t>(module_.functions.size());
  module_.functions.push_back(function);
  if (!entry && lexer_.Peek().Is('(')) ParseParameterList(function.results, true);
  function.name = lexer_.ExpectName();
  if (lexer_.Peek().Is('(')) ParseParameterList(function.parameters, true);
  function.registers = module_.functions[function_].registers;
  ParseFunctionAttributes(function);
  function.has_body = lexer_.Peek().Is('{');
  if (!function.has_body) lexer_.Expect(';');

  auto known = functions_.find(function.name);
  if (known != functions_.end()) {
    FunctionText& earlier = module_.functions[known->second];
    if (earlier.has_body && function.has_body) {
      FailAt(function.line,
             "Duplicate definition of function '" + std::string(function.name) + "'");
    }
    if (function.has_body) earlier.definition = function_;
  }
  module_.functions[function_] = function;
  if (known == functions_.end() || function.has_body) functions_[function.name] = function_;
  if (function.has_body) ParseBody();
  function_ = kNone;
}

// (.param .b32 a, .param .align 8 .b8 b[16], .reg .u32 %r)
void Parser::ParseParameterList(std::vector<uint32_t>& variables, bool declare) {
  lexer_.Expect('(');
  if (lexer_.Accept(')')) return;
  uint32_t offset = 0;
  do {
    if (lexer_.Accept(".reg")) {
      Declarator declarator = ParseDeclarator(StateSpace::kRegister);
      Variable variable{
          .name = lexer_.ExpectName(), .space = StateSpace::kRegister, .type = declarator.type};
      if (declare) {
        std::vector<Type>& registers = module_.functions[function_].registers;
        variable.offset = static_cast<uint32_t>(registers.size());
        registers.push_back(declarator.type);
        scopes_.Declare(variable.name, Name::Kind::kRegister, variable.offset);
      }
      variables.push_back(static_cast<uint32_t>(module_.variables.size()));
      module_.variables.push_back(variable);
      continue;
    }
    if (!lexer_.Accept(".param")) lexer_.FailNear();
    Declarator declarator = ParseDeclarator(StateSpace::kParam);
    Variable variable = ParseArray(declarator, lexer_.ExpectName());
    variable.function = function_;
    offset = AlignUp(offset, variable.align);
    variable.offset = offset;
    if (variable.size > 65536) lexer_.Fail("Formal parameter space overflowed");
    offset += static_cast<uint32_t>(variable.size);
    if (offset > 65536) lexer_.Fail("Formal parameter space overflowed");
    uint32_t index = static_cast<uint32_t>(module_.variables.size());
    variables.push_back(index);
    module_.variables.push_back(variable);
    if (declare && !scopes_.Declare(variable.name, Name::Kind::kVariable, index)) {
      lexer_.Fail("Duplicate definition of parameter '" + std::string(variable.name) + "'");
    }
  } while (lexer_.Accept(','));
  lexer_.Expect(')');
}

std::array<uint32_t, 3> Parser::ParseThreads() {
  std::array<uint32_t, 3> threads{1, 1, 1};
  for (uint32_t& n : threads) {
    n = static_cast<uint32_t>(lexer_.ExpectInteger());
    if (!lexer_.Accept(',')) break;
  }
  return threads;
}

void Parser::ParseFunctionAttributes(FunctionText& function) {
  while (lexer_.Peek().kind == TokenKind::kDot) {
    Token token = lexer_.Take();
    if (token.Is(".maxntid")) {
      function.maximum_threads = ParseThreads();
    } else if (token.Is(".reqntid")) {
      function.required_threads = ParseThreads();
    } else if (token.Is(".reqnctapercluster")) {
      function.required_cluster = ParseThreads();
    } else if (token.Is(".maxnreg") || token.Is(".minnctapersm") || token.Is(".maxnctapersm") ||
               token.Is(".maxclusterrank")) {
      ParseThreads();
    } else if (token.Is(".pragma")) {
      while (!lexer_.Accept(';')) {
        if (lexer_.Peek().kind == TokenKind::kEnd) lexer_.FailNear();
        lexer_.Take();
      }
    } else if (token.Is(".attribute") || token.Is(".abi_preserve") ||
               token.Is(".abi_preserve_control")) {
      if (lexer_.Accept('(')) {
        while (!lexer_.Accept(')')) {
          if (lexer_.Peek().kind == TokenKind::kEnd) lexer_.FailNear();
          lexer_.Take();
        }
      } else {
        lexer_.ExpectInteger();
      }
    } else if (!token.Is(".noreturn") && !token.Is(".explicitcluster") &&
               !token.Is(".blocksareclusters") && !token.Is(".unified")) {
      FailAt(token.line, "Unknown directive '" + std::string(token.text) + "'");
    }
  }
}

void Parser::ParseBody() {
  {
    FunctionText& function = module_.functions[function_];
    function.first_instruction = static_cast<uint32_t>(module_.instructions.size());
    function.first_operand = static_cast<uint32_t>(module_.operands.size());
  }
  frame_offset_ = 0;
  source_line_ = 0;
  pending_labels_.clear();
  // Parameters of device functions and their results live in the frame too: the caller copies them
  // in and out.
  FunctionText& function = module_.functions[function_];
  if (!function.entry) {
    for (std::vector<uint32_t>* list : {&function.parameters, &function.results}) {
      for (uint32_t index : *list) {
        if (module_.variables[index].space == StateSpace::kParam)
          PlaceInFrame(module_.variables[index]);
      }
    }
  }
  lexer_.Expect('{');
  std::vector<uint32_t> frame_offsets;
  for (;;) {
    if (lexer_.Accept('{')) {
      scopes_.Open();
      frame_offsets.push_back(frame_offset_);
    } else if (lexer_.Accept('}')) {
      if (frame_offsets.empty()) break;
      scopes_.Close();
      frame_offset_ = frame_offsets.back();
      frame_offsets.pop_back();
    } else {
      ParseStatement();
    }
  }
  FunctionText& done = module_.functions[function_];
  done.instruction_count =
      static_cast<uint32_t>(module_.instructions.size()) - done.first_instruction;
  SettleLabels();
  done.operand_end = static_cast<uint32_t>(module_.operands.size());
}

void Parser::ParseStatement() {
  const Token& next = lexer_.Peek();
  if (next.kind == TokenKind::kDot) {
    Token directive = lexer_.Take();
    return ParseBodyDirective(directive);
  }
  if (next.Is(';')) {
    lexer_.Take();
    return;
  }
  uint32_t line = next.line;
  uint32_t guard = kNone;
  bool negated = false;
  if (lexer_.Accept('@')) {
    negated = lexer_.Accept('!');
    guard = ParseRegister();
    if (module_.functions[function_].registers[guard] != Type::kPred) {
      FailAt(line, "Predicate expected as guard");
    }
    line = lexer_.Peek().line;
  }
  if (lexer_.Peek().kind == TokenKind::kEnd)
    lexer_.Fail("Unexpected end of file inside a function");
  std::string_view name = lexer_.ExpectName();
  if (guard == kNone && lexer_.Accept(':')) {
    if (lexer_.Peek().Is(".branchtargets") || lexer_.Peek().Is(".calltargets") ||
        lexer_.Peek().Is(".callprototype")) {
      return ParseTargetList(name, lexer_.Take().text);
    }
    const FunctionText& function = module_.functions[function_];
    uint32_t index =
        static_cast<uint32_t>(module_.instructions.size()) - function.first_instruction;
    if (!scopes_.Declare(name, Name::Kind::kLabel, index)) {
      FailAt(line, "Duplicate definition of label '" + std::string(name) + "'");
    }
    return;
  }
  ParseInstruction(name, line, guard, negated);
}

void Parser::ParseBodyDirective(const Token& directive) {
  if (directive.Is(".reg")) {
    ParseRegisters();
  } else if (directive.Is(".local")) {
    ParseFunctionVariables(StateSpace::kLocal);
  } else if (directive.Is(".param")) {
    ParseFunctionVariables(StateSpace::kParam);
  } else if (directive.Is(".shared")) {
    ParseFunctionVariables(StateSpace::kShared);
  } else if (directive.Is(".global")) {
    ParseFunctionVariables(StateSpace::kGlobal);
  } else if (directive.Is(".const")) {
    ParseFunctionVariables(StateSpace::kConst);
  } else if (directive.Is(".loc")) {
    ParseLoc();
  } else if (directive.Is(".pragma")) {
    while (!lexer_.Accept(';')) {
      if (lexer_.Peek().kind == TokenKind::kEnd) lexer_.FailNear();
      lexer_.Take();
    }
  } else if (directive.Is(".file")) {
    ParseFile();
  } else {
    FailAt(directive.line, "Unknown directive '" + std::string(directive.text) + "'");
  }
}

// .loc file line column [, function_name label [+ offset], inlined_at file line column]
void Parser::ParseLoc() {
  uint64_t file = lexer_.ExpectInteger();
  uint64_t line = lexer_.ExpectInteger();
  lexer_.SkipRestOfLine();
  // Line 0 stands for code that belongs to no line; what came before is the better answer.
  if (line == 0) return;
  source_line_ = static_cast<uint32_t>(module_.source_lines.size());
  module_.source_lines.push_back({static_cast<uint32_t>(file), static_cast<uint32_t>(line)});
}

// name: .branchtargets a, b;   name: .calltargets f, g;   name: .callprototype (.param .b32 _) _
// (.param .b64 _);
void Parser::ParseTargetList(std::string_view label, std::string_view directive) {
  uint32_t index = static_cast<uint32_t>(module_.target_lists.size());
  module_.target_lists.emplace_back();
  if (!scopes_.Declare(label, Name::Kind::kTargets, index)) {
    lexer_.Fail("Duplicate definition of label '" + std::string(label) + "'");
  }
  if (directive == ".callprototype") {
    TargetList list;
    if (lexer_.Peek().Is('(')) ParseParameterList(list.results, false);
    lexer_.ExpectName();
    if (lexer_.Peek().Is('(')) ParseParameterList(list.parameters, false);
    FunctionText ignored;
    ParseFunctionAttributes(ignored);
    module_.target_lists[index] = std::move(list);
  } else {
    do {
      uint32_t line = lexer_.Peek().line;
      std::string_view name = lexer_.ExpectName();
      std::vector<uint32_t>& targets = module_.target_lists[index].targets;
      if (directive == ".calltargets") {
        auto it = functions_.find(name);
        if (it == functions_.end()) FailAt(line, "Unknown symbol '" + std::string(name) + "'");
        targets.push_back(it->second);
      } else {
        pending_labels_.push_back(
            {scopes_.current(), line, name, kNone, index, static_cast<uint32_t>(targets.size())});
        targets.push_back(kNone);
      }
    } while (lexer_.Accept(','));
  }
  lexer_.Expect(';');
}

void Parser::SettleLabels() {
  uint32_t count = module_.functions[function_].instruction_count;
  for (const PendingLabel& pending : pending_labels_) {
    auto target = scopes_.FindLabelFrom(pending.scope, pending.name);
    if (!target) FailAt(pending.line, "Unknown symbol '" + std::string(pending.name) + "'");
    // A label at the very end of a body stands for the return that is missing there.
    uint32_t index = std::min(*target, count);
    if (pending.target_list != kNone) {
      module_.target_lists[pending.target_list].targets[pending.position] = index;
      continue;
    }
    Operand& operand = module_.operands[pending.operand];
    operand.kind = Operand::Kind::kLabel;
    operand.index = index;
  }
}

}  // namespace culprit::exec
