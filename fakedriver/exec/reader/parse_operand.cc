// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <string>
#include <unordered_map>

#include "fakedriver/exec/reader/parser.h"

namespace culprit::exec {
namespace {

// Predefined constants and special registers, except the indexed environment registers.
std::optional<Operand> FindPredefined(std::string_view name) {
  static const auto* const index = [] {
    auto* map = new std::unordered_map<std::string_view, Operand>;
    for (size_t i = 0; i < kSpecialRegisters.size(); ++i) {
      Operand operand;
      operand.kind = Operand::Kind::kSpecial;
      operand.index = static_cast<uint32_t>(i);
      map->emplace(kSpecialRegisters[i].text, operand);
    }
    Operand warp_size;
    warp_size.kind = Operand::Kind::kInteger;
    warp_size.value = 32;
    map->emplace("WARP_SZ", warp_size);
    return map;
  }();
  auto it = index->find(name);
  return it == index->end() ? std::nullopt : std::optional(it->second);
}

}  // namespace

Operand Parser::Group(Operand::Kind kind, const std::vector<Operand>& members) {
  if (members.size() > 255) lexer_.Fail("Too many operands");
  for (const Operand& member : members) {
    if (member.kind == Operand::Kind::kLabel) {
      lexer_.Fail("Unknown symbol '" + std::string(unknown_names_.front()) + "'");
    }
  }
  Operand group;
  group.kind = kind;
  group.index = static_cast<uint32_t>(module_.operands.size());
  group.count = static_cast<uint8_t>(members.size());
  module_.operands.insert(module_.operands.end(), members.begin(), members.end());
  return group;
}

// An operand, possibly a pair a|b.
Operand Parser::ParseOperand() {
  Operand first = ParseSimpleOperand();
  if (!lexer_.Accept('|')) return first;
  return Group(Operand::Kind::kPair, {first, ParseSimpleOperand()});
}

Operand Parser::ParseSimpleOperand() {
  const Token& next = lexer_.Peek();
  switch (next.kind) {
    case TokenKind::kName: {
      std::string_view name = lexer_.Take().text;
      return ParseName(name);
    }
    case TokenKind::kInteger:
    case TokenKind::kSingle:
    case TokenKind::kDouble:
      return ParseNumber(false);
    case TokenKind::kPunctuation:
      break;
    default:
      lexer_.FailNear();
  }
  if (lexer_.Accept('-')) {
    if (lexer_.Peek().kind != TokenKind::kName) return ParseNumber(true);
    Operand operand = ParseName(lexer_.Take().text);
    if (operand.kind != Operand::Kind::kRegister) lexer_.FailNear();
    operand.kind = Operand::Kind::kNegative;
    return operand;
  }
  if (lexer_.Accept('+')) return ParseNumber(false);
  if (lexer_.Accept('!')) {
    Operand operand;
    operand.kind = Operand::Kind::kRegister;
    operand.index = ParseRegister();
    operand.negated = true;
    return operand;
  }
  if (lexer_.Accept('~')) {
    Operand operand;
    operand.kind = Operand::Kind::kInteger;
    operand.value = ~ParseConstant();
    return operand;
  }
  if (lexer_.Accept('[')) return ParseAddress();
  if (lexer_.Accept('{')) return ParseGroup('}', Operand::Kind::kVector);
  if (lexer_.Accept('(')) return ParseGroup(')', Operand::Kind::kList);
  lexer_.FailNear();
}

Operand Parser::ParseGroup(char close, Operand::Kind kind) {
  std::vector<Operand> members;
  if (++depth_ > kDeepestNesting) lexer_.Fail("Operands nested too deeply");
  if (!lexer_.Accept(close)) {
    do {
      members.push_back(ParseSimpleOperand());
    } while (lexer_.Accept(','));
    lexer_.Expect(close);
  }
  --depth_;
  return Group(kind, members);
}

Operand Parser::ParseNumber(bool minus) {
  Token token = lexer_.Take();
  Operand operand;
  operand.value = static_cast<int64_t>(token.value);
  if (token.kind == TokenKind::kInteger) {
    operand.kind = Operand::Kind::kInteger;
    if (minus) operand.value = static_cast<int64_t>(~token.value + 1);
  } else if (token.kind == TokenKind::kSingle) {
    operand.kind = Operand::Kind::kSingle;
    if (minus) operand.value ^= 0x80000000;
  } else if (token.kind == TokenKind::kDouble) {
    operand.kind = Operand::Kind::kDouble;
    if (minus) operand.value = static_cast<int64_t>(token.value ^ uint64_t{1} << 63);
  } else {
    FailAt(token.line,
           "Parsing error near '" + std::string(token.text.substr(0, 80)) + "': syntax error");
  }
  return operand;
}

// An integer with an optional sign.
int64_t Parser::ParseConstant() {
  bool minus = lexer_.Accept('-');
  uint64_t value = lexer_.ExpectInteger();
  return static_cast<int64_t>(minus ? ~value + 1 : value);
}

uint32_t Parser::ParseRegister() {
  std::string_view name = lexer_.ExpectName();
  if (function_ != kNone) {
    if (auto found = scopes_.Find(name); found && found->kind == Name::Kind::kRegister)
      return found->index;
  }
  lexer_.Fail("Unknown symbol '" + std::string(name) + "'");
}

// What follows a register: a component (x to w) of a vector, whose components have consecutive
// numbers, or the bytes and halves that a video instruction selects (b0, h10), left in the value:
// the letter, how many, and their numbers from the lowest part up, three bits each.
void Parser::ParseComponent(std::string_view suffix, Operand& operand) {
  constexpr std::string_view kComponents = "xyzw";
  if (suffix.size() == 1 && kComponents.find(suffix[0]) != std::string_view::npos) {
    operand.index += static_cast<uint32_t>(kComponents.find(suffix[0]));
    if (operand.index < module_.functions[function_].registers.size()) return;
  } else if (suffix.size() >= 2 && suffix.size() <= 5 && (suffix[0] == 'b' || suffix[0] == 'h')) {
    uint64_t digits = 0;
    bool good = true;
    for (char c : suffix.substr(1)) {
      good &= c >= '0' && c <= '7';
      digits = digits << 3 | static_cast<uint64_t>(c - '0');
    }
    operand.value = static_cast<int64_t>(static_cast<uint64_t>(suffix[0]) |
                                         (suffix.size() - 1) << 8 | digits << 16);
    if (good) return;
  }
  lexer_.Fail("Unknown component '." + std::string(suffix) + "'");
}

// A name, its component (%tid.x) and what is added to it (variable+4).
Operand Parser::ParseName(std::string_view name) {
  Operand operand;
  if (name == "_") {
    operand.kind = Operand::Kind::kSink;
    return operand;
  }
  std::optional<Name> found = function_ == kNone ? std::nullopt : scopes_.Find(name);
  if (found) {
    operand.index = found->index;
    switch (found->kind) {
      case Name::Kind::kRegister:
        operand.kind = Operand::Kind::kRegister;
        if (lexer_.NextIsSuffix()) {
          ParseComponent(lexer_.Take().text.substr(1), operand);
        }
        return operand;
      case Name::Kind::kLabel:
        operand.kind = Operand::Kind::kLabel;
        unknown_names_.push_back(name);
        return operand;
      case Name::Kind::kTargets:
        operand.kind = Operand::Kind::kTargets;
        return operand;
      case Name::Kind::kVariable:
        operand.kind = Operand::Kind::kVariable;
    }
  } else if (auto v = variables_.find(name); v != variables_.end()) {
    operand.kind = Operand::Kind::kVariable;
    operand.index = v->second;
  } else if (auto f = functions_.find(name); f != functions_.end()) {
    operand.kind = Operand::Kind::kFunction;
    operand.index = f->second;
    return operand;
  } else if (name.starts_with('%') || name == "WARP_SZ") {
    std::string_view whole = name;
    if (lexer_.NextIsSuffix()) {
      std::string_view suffix = lexer_.Take().text;
      whole = std::string_view(name.data(),
                               static_cast<size_t>(suffix.data() + suffix.size() - name.data()));
    }
    if (auto predefined = FindPredefined(whole)) return *predefined;
    lexer_.Fail("Unknown symbol '" + std::string(whole) + "'");
  } else if (function_ != kNone) {
    // A label further down; SettleLabels complains if there is none.
    operand.kind = Operand::Kind::kLabel;
    unknown_names_.push_back(name);
    return operand;
  } else {
    lexer_.Fail("Unknown symbol '" + std::string(name) + "'");
  }
  if (lexer_.Accept('+')) {
    operand.value = ParseConstant();
  } else if (lexer_.Accept('-')) {
    operand.value = -ParseConstant();
  }
  return operand;
}

// After the bracket: [reg], [reg+8], [variable], [variable+8], [64], or [texture, {coordinates}].
Operand Parser::ParseAddress() {
  if (++depth_ > kDeepestNesting) lexer_.Fail("Operands nested too deeply");
  Operand first = ParseSimpleOperand();
  --depth_;
  Operand address;
  address.kind = Operand::Kind::kAddress;
  switch (first.kind) {
    case Operand::Kind::kRegister:
      address.base = Operand::Base::kRegister;
      address.index = first.index;
      if (lexer_.Accept('+')) {
        address.value = ParseConstant();
      } else if (lexer_.Accept('-')) {
        address.value = -ParseConstant();
      }
      break;
    case Operand::Kind::kVariable:
      address.base = Operand::Base::kVariable;
      address.index = first.index;
      address.value = first.value;
      break;
    case Operand::Kind::kInteger:
      address.value = first.value;
      break;
    case Operand::Kind::kLabel:
      lexer_.Fail("Unknown symbol '" + std::string(unknown_names_.back()) + "'");
    default:
      lexer_.FailNear();
  }
  if (!lexer_.Peek().Is(',')) {
    lexer_.Expect(']');
    return address;
  }
  std::vector<Operand> members{address};
  while (lexer_.Accept(',')) members.push_back(ParseSimpleOperand());
  lexer_.Expect(']');
  return Group(Operand::Kind::kBracket, members);
}

}  // namespace culprit::exec
