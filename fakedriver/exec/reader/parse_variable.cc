// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>

#include "fakedriver/exec/reader/parser.h"

namespace culprit::exec {
namespace {

constexpr uint64_t kLargestVariable = uint64_t{1} << 40;

uint64_t AlignUp(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

void WriteLittleEndian(std::vector<std::byte>& bytes, uint64_t at, uint64_t value, uint32_t size) {
  if (bytes.size() < at + size) bytes.resize(at + size);
  std::memcpy(&bytes[at], &value, size);
}

// An initial value as the bits of `type`; integers convert to floating point and the other way
// round as in C.
uint64_t Encode(const Operand& operand, Type type) {
  if (type == Type::kF32 || type == Type::kF64) {
    double value = 0;
    if (operand.kind == Operand::Kind::kInteger) value = static_cast<double>(operand.value);
    if (operand.kind == Operand::Kind::kDouble) value = std::bit_cast<double>(operand.value);
    if (operand.kind == Operand::Kind::kSingle) {
      if (type == Type::kF32) return static_cast<uint64_t>(operand.value);
      value = std::bit_cast<float>(static_cast<uint32_t>(operand.value));
    }
    if (type == Type::kF32) return std::bit_cast<uint32_t>(static_cast<float>(value));
    return std::bit_cast<uint64_t>(value);
  }
  return static_cast<uint64_t>(operand.value);
}

}  // namespace

// .align 4 .v2 .b32, in any order, with .attribute(.managed) and .ptr .global .align 8 on
// parameters
Parser::Declarator Parser::ParseDeclarator(StateSpace space) {
  Declarator declarator{.space = space};
  while (lexer_.Peek().kind == TokenKind::kDot) {
    Token token = lexer_.Take();
    if (token.Is(".align")) {
      uint64_t align = lexer_.ExpectInteger();
      if (!std::has_single_bit(align) || align > 4096) FailAt(token.line, "Invalid alignment");
      declarator.align = declarator.pointer ? declarator.align : static_cast<uint32_t>(align);
    } else if (token.Is(".v2") || token.Is(".v4") || token.Is(".v8")) {
      declarator.vector = static_cast<uint32_t>(token.text[2] - '0');
    } else if (token.Is(".ptr")) {
      declarator.pointer = true;
    } else if (declarator.pointer &&
               (token.Is(".global") || token.Is(".shared") || token.Is(".const") ||
                token.Is(".local") || token.Is(".param"))) {
      continue;
    } else if (token.Is(".attribute")) {
      lexer_.Expect('(');
      while (!lexer_.Accept(')')) {
        if (lexer_.Peek().kind == TokenKind::kEnd) lexer_.FailNear();
        declarator.managed |= lexer_.Take().Is(".managed");
      }
    } else if (SuffixWord word = FindSuffix(token.text.substr(1));
               word.known && word.type != Type::kNone) {
      declarator.type = word.type;
    } else {
      FailAt(token.line, "Unknown modifier '" + std::string(token.text) + "'");
    }
  }
  if (declarator.type == Type::kNone) lexer_.FailNear();
  if (declarator.type == Type::kPred && space != StateSpace::kRegister) {
    lexer_.Fail("State space incorrect for type .pred");
  }
  if (declarator.align == 0)
    declarator.align = std::max(1u, Bytes(declarator.type) * declarator.vector);
  return declarator;
}

// What follows the name: [4][2]
Variable Parser::ParseArray(const Declarator& declarator, std::string_view name) {
  Variable variable{
      .name = name, .space = declarator.space, .type = declarator.type, .align = declarator.align};
  variable.line = lexer_.Peek().line;
  variable.size = uint64_t{Bytes(declarator.type)} * declarator.vector;
  while (lexer_.Accept('[')) {
    uint64_t count = 0;
    if (!lexer_.Peek().Is(']')) {
      int64_t value = ParseConstant();
      if (value < 0) lexer_.Fail("Negative array size");
      count = static_cast<uint64_t>(value);
    }
    lexer_.Expect(']');
    if (count != 0 && variable.size > kLargestVariable / count) lexer_.Fail("Variable too large");
    variable.size *= count;
  }
  return variable;
}

void Parser::ParseModuleVariables(StateSpace space, Linkage linkage) {
  Declarator declarator = ParseDeclarator(space);
  do {
    std::string_view name = lexer_.ExpectName();
    Variable variable = ParseArray(declarator, name);
    variable.linkage = linkage;
    variable.function = function_;
    auto known = function_ == kNone ? variables_.find(name) : variables_.end();
    bool redeclares = known != variables_.end();
    if (redeclares && module_.variables[known->second].linkage != Linkage::kExtern &&
        linkage != Linkage::kExtern) {
      lexer_.Fail("Duplicate definition of variable '" + std::string(name) + "'");
    }
    GlobalInfo global;
    global.name = name;
    global.space = space;
    global.size = variable.size;
    global.align = declarator.align;
    global.managed = declarator.managed;
    global.line = variable.line;
    global.visible = linkage != Linkage::kInternal;
    if (declarator.type == Type::kTexref) global.kind = GlobalKind::kTexture;
    if (declarator.type == Type::kSurfref) global.kind = GlobalKind::kSurface;
    if (declarator.type == Type::kSamplerref) global.kind = GlobalKind::kSampler;
    if (lexer_.Accept('=')) {
      ParseInitializer(declarator, global);
      if (variable.size == 0) {
        variable.size = global.size =
            AlignUp(global.initial.size(), uint64_t{Bytes(declarator.type)} * declarator.vector);
      }
      if (global.initial.size() > global.size)
        lexer_.Fail("Too many initial values for '" + std::string(name) + "'");
    }
    if (redeclares && linkage == Linkage::kExtern) continue;
    uint32_t index = redeclares ? known->second : static_cast<uint32_t>(module_.variables.size());
    if (space == StateSpace::kShared) {
      variable.dynamic = linkage == Linkage::kExtern && variable.size == 0;
    } else if (linkage != Linkage::kExtern) {
      variable.global = static_cast<uint32_t>(module_.globals.size());
      module_.globals.push_back(std::move(global));
    }
    if (redeclares) {
      module_.variables[index] = variable;
    } else {
      module_.variables.push_back(variable);
    }
    if (function_ == kNone) {
      variables_[name] = index;
    } else if (!scopes_.Declare(name, Name::Kind::kVariable, index)) {
      lexer_.Fail("Duplicate definition of variable '" + std::string(name) + "'");
    }
  } while (lexer_.Accept(','));
  lexer_.Expect(';');
}

void Parser::ParseFunctionVariables(StateSpace space) {
  if (space != StateSpace::kLocal && space != StateSpace::kParam)
    return ParseModuleVariables(space, Linkage::kInternal);
  Declarator declarator = ParseDeclarator(space);
  do {
    std::string_view name = lexer_.ExpectName();
    Variable variable = ParseArray(declarator, name);
    variable.function = function_;
    PlaceInFrame(variable);
    uint32_t index = static_cast<uint32_t>(module_.variables.size());
    module_.variables.push_back(variable);
    if (!scopes_.Declare(name, Name::Kind::kVariable, index)) {
      lexer_.Fail("Duplicate definition of variable '" + std::string(name) + "'");
    }
  } while (lexer_.Accept(','));
  lexer_.Expect(';');
}

// The frame is local memory, kept in words of four bytes; nothing in it starts inside a word that
// something else uses.
void Parser::PlaceInFrame(Variable& variable) {
  constexpr uint64_t kLargestFrame = 512 * 1024;
  uint64_t offset = AlignUp(frame_offset_, std::max<uint32_t>(variable.align, 8));
  if (variable.size > kLargestFrame || offset + variable.size > kLargestFrame) {
    lexer_.Fail("Local memory of the function exceeds " + std::to_string(kLargestFrame) + " bytes");
  }
  variable.offset = static_cast<uint32_t>(offset);
  frame_offset_ = static_cast<uint32_t>(AlignUp(offset + variable.size, 8));
  FunctionText& function = module_.functions[function_];
  function.frame_bytes = std::max(function.frame_bytes, frame_offset_);
  if (variable.space == StateSpace::kLocal)
    function.local_bytes += static_cast<uint32_t>(variable.size);
}

// .reg .b32 %r<12>, %x;
void Parser::ParseRegisters() {
  constexpr uint64_t kMostRegisters = 1 << 20;
  Declarator declarator = ParseDeclarator(StateSpace::kRegister);
  std::vector<Type>& registers = module_.functions[function_].registers;
  do {
    std::string_view name = lexer_.ExpectName();
    uint64_t count = declarator.vector;
    bool range = lexer_.Accept('<');
    if (range) {
      count = lexer_.ExpectInteger();
      lexer_.Expect('>');
    }
    if (registers.size() + count > kMostRegisters) lexer_.Fail("Too many registers");
    uint32_t first = static_cast<uint32_t>(registers.size());
    registers.insert(registers.end(), count, declarator.type);
    if (range) {
      scopes_.DeclareRange(name, first, static_cast<uint32_t>(count));
    } else if (!scopes_.Declare(name, Name::Kind::kRegister, first)) {
      lexer_.Fail("Duplicate definition of register '" + std::string(name) + "'");
    }
  } while (lexer_.Accept(','));
  lexer_.Expect(';');
}

void Parser::ParseInitializer(const Declarator& declarator, GlobalInfo& global) {
  uint64_t at = 0;
  depth_ = 0;
  ParseInitialElement(declarator, global, at);
}

// A value, an address, or a braced list of them; elements follow each other in memory.
void Parser::ParseInitialElement(const Declarator& declarator, GlobalInfo& global, uint64_t& at) {
  if (lexer_.Accept('{')) {
    if (lexer_.Accept('}')) return;
    if (++depth_ > kDeepestNesting) lexer_.Fail("Initial values nested too deeply");
    do {
      ParseInitialElement(declarator, global, at);
    } while (lexer_.Accept(','));
    --depth_;
    lexer_.Expect('}');
    return;
  }
  uint32_t size = std::max(1u, Bytes(declarator.type));
  if (lexer_.Peek().kind == TokenKind::kName || declarator.type == Type::kTexref ||
      declarator.type == Type::kSamplerref) {
    Relocation relocation{.offset = static_cast<uint32_t>(at), .size = std::min(8u, size)};
    std::string_view name = lexer_.ExpectName();
    relocation.generic = name == "generic";
    if (relocation.generic) {
      lexer_.Expect('(');
      name = lexer_.ExpectName();
      lexer_.Expect(')');
    }
    if (declarator.type == Type::kSamplerref || declarator.type == Type::kTexref) {
      lexer_.Fail("Initial values of samplers are not supported");
    }
    if (lexer_.Accept('+')) relocation.addend = ParseConstant();
    if (auto it = variables_.find(name); it != variables_.end()) {
      relocation.index = it->second;  // a variable until Program::Load turns it into a global
    } else if (auto f = functions_.find(name); f != functions_.end()) {
      relocation.target = Relocation::Target::kFunction;
      relocation.index = f->second;
    } else {
      lexer_.Fail("Unknown symbol '" + std::string(name) + "'");
    }
    WriteLittleEndian(global.initial, at, 0, relocation.size);
    global.relocations.push_back(relocation);
  } else {
    Operand value = ParseSimpleOperand();
    WriteLittleEndian(global.initial, at, Encode(value, declarator.type), std::min(8u, size));
    if (size > 8) global.initial.resize(at + size);
  }
  at += size;
}

}  // namespace culprit::exec
