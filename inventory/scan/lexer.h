// SPDX-License-Identifier: Apache-2.0
// The token scan: what a C, C++ or CUDA file says once comments, strings and dead #if branches are
// set aside. It needs no grammar and cannot fail, so it is the floor that every rule may stand on
// when the syntax tree has a hole.
//
// Line splices (backslash, newline) are joined, adjacent strings too, raw strings understood.
// Comments are kept apart, since suppressions live there. Tokens of a directive are marked; their
// directive says which one.
#ifndef CULPRIT_INVENTORY_SCAN_LEXER_H_
#define CULPRIT_INVENTORY_SCAN_LEXER_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/scan/conditional.h"
#include "inventory/scan/source_file.h"

namespace culprit::inventory {

enum class TokenKind : uint8_t { kIdentifier, kNumber, kString, kCharacter, kPunctuator };

struct Token {
  TokenKind kind;
  bool in_directive;
  uint32_t begin, end;    // offsets into the file
  std::string_view text;  // spelling without splices; for a string its content, unescaped only
                          // where it needs no thought

  bool Is(std::string_view punctuator) const {
    return kind == TokenKind::kPunctuator && text == punctuator;
  }
  bool IsName() const { return kind == TokenKind::kIdentifier; }
};

struct Comment {
  uint32_t begin, end;
  bool alone;  // nothing but blanks before it on its first line
};

struct Directive {
  std::string_view name;             // define, include, ...
  uint32_t first_token, last_token;  // half-open range into Lexed::tokens, the name left out
};

struct Range {
  uint32_t begin, end;
};

// A directive of an #if group.
struct ConditionEdge {
  enum Kind : uint8_t { kBegins, kAlternates, kEnds };
  uint32_t at;  // offset of the #
  Kind kind;
};

struct Lexed {
  std::vector<Token> tokens;
  std::vector<Comment> comments;
  std::vector<Directive> directives;
  std::vector<Range> dead;  // code in #if branches that cannot be compiled
  std::vector<Range>
      alternates;  // #else and #elif branches: where braces may be opened a second time
  std::vector<ConditionEdge> conditions;
  std::deque<std::string> spellings;  // backs the text of spliced and joined tokens
};

// The result points into `file`, which must outlive it.
Lexed Lex(const SourceFile& file, const KnownMacros& known);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_LEXER_H_
