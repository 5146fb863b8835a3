// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/declarations.h"

#include <algorithm>

namespace culprit::inventory {
namespace {

// Splits a file's tokens at the ends of its outermost declarations. A namespace and extern "C" are
// no declarations, what is in them are.
class DeclarationReader {
 public:
  DeclarationReader(const Lexed& lexed, const std::vector<Range>& blanked)
      : tokens_(lexed.tokens), blanked_(blanked) {}

  // False when brackets do not match.
  bool Read(std::vector<Range>* declarations) {
    for (at_ = Visible(0); at_ < tokens_.size(); at_ = Visible(at_ + 1)) {
      const Token& token = tokens_[at_];
      if (!is_open_ && token.Is("}")) {
        if (--scopes_ < 0) return false;
        continue;
      }
      if (!is_open_) Open();
      if (token.kind == TokenKind::kPunctuator && !Step(token)) return false;
      if (ended_) declarations->push_back({tokens_[first_].begin, token.end});
    }
    return scopes_ == 0 && !is_open_;
  }

 private:
  void Open() {
    first_ = at_;
    is_open_ = true;
    ended_ = has_parameters_ = has_value_ = false;
  }

  bool Step(const Token& token) {
    if (token.Is("(") || token.Is("[") || token.Is("{")) {
      if (depth_ == 0 && token.Is("{") && OpensScope()) {
        ++scopes_;
        is_open_ = false;
        return true;
      }
      has_parameters_ |= depth_ == 0 && token.Is("(");
      ++depth_;
    } else if (token.Is(")") || token.Is("]") || token.Is("}")) {
      if (--depth_ < 0) return false;
      const bool ends_body = depth_ == 0 && token.Is("}") && has_parameters_ && !has_value_;
      if (ends_body && !GoesOn()) Close();
    } else if (depth_ == 0 && token.Is("=")) {
      has_value_ = true;
    } else if (depth_ == 0 && token.Is(";")) {
      Close();
    }
    return true;
  }

  void Close() {
    ended_ = true;
    is_open_ = false;
  }

  // namespace a::b {, inline namespace a {, extern "C" {
  bool OpensScope() const {
    if (first_ == at_) return false;
    const Token &first = tokens_[first_], &second = tokens_[first_ + 1];
    if (first.text == "extern") return second.kind == TokenKind::kString && first_ + 2 == at_;
    return first.text == "namespace" || (first.text == "inline" && second.text == "namespace");
  }

  // After a closing brace: `a{1}, b{2} {}` of a constructor, `} name;` of a class, a handler of a
  // function's try.
  bool GoesOn() {
    const size_t blank = blank_;
    const size_t next = Visible(at_ + 1);
    blank_ = blank;
    if (next >= tokens_.size()) return false;
    return tokens_[next].Is(",") || tokens_[next].Is("{") || tokens_[next].Is(";") ||
           tokens_[next].text == "catch";
  }

  // The first token from `index` on that the parser sees as part of a declaration.
  size_t Visible(size_t index) {
    for (; index < tokens_.size(); ++index) {
      const uint32_t offset = tokens_[index].begin;
      while (blank_ < blanked_.size() && blanked_[blank_].end <= offset) ++blank_;
      const bool blanked = blank_ < blanked_.size() && blanked_[blank_].begin <= offset;
      if (!blanked && !tokens_[index].in_directive) break;
    }
    return index;
  }

  const std::vector<Token>& tokens_;
  const std::vector<Range>& blanked_;
  size_t at_ = 0, first_ = 0, blank_ = 0;
  int depth_ = 0, scopes_ = 0;
  bool is_open_ = false, ended_ = false;
  bool has_parameters_ = false, has_value_ = false;
};

// Whether every #if in the range ends there, and nothing else does.
bool ConditionsClose(const Lexed& lexed, Range range) {
  auto edge = std::lower_bound(
      lexed.conditions.begin(), lexed.conditions.end(), range.begin,
      [](const ConditionEdge& condition, uint32_t offset) { return condition.at < offset; });
  int depth = 0;
  for (; edge != lexed.conditions.end() && edge->at < range.end; ++edge) {
    if (edge->kind == ConditionEdge::kBegins) ++depth;
    if (depth == 0) return false;
    if (edge->kind == ConditionEdge::kEnds) --depth;
  }
  return depth == 0;
}

// Whether there is nothing to parse in the range.
bool IsEmpty(const Lexed& lexed, Range range) {
  const auto token =
      std::lower_bound(lexed.tokens.begin(), lexed.tokens.end(), range.begin,
                       [](const Token& t, uint32_t offset) { return t.begin < offset; });
  const bool has_token = token != lexed.tokens.end() && token->begin < range.end;
  return !has_token && ConditionsClose(lexed, range);
}

// The parser looks through all of its ranges whenever it goes back.
constexpr size_t kMostParts = 100;

}  // namespace

std::optional<std::vector<Range>> DeclarationsAround(const Lexed& lexed,
                                                     const std::vector<Range>& blanked,
                                                     const std::vector<Range>& wanted) {
  std::vector<Range> declarations, around;
  if (!DeclarationReader(lexed, blanked).Read(&declarations)) return std::nullopt;
  auto declaration = declarations.begin();
  for (const Range& place : wanted) {
    while (declaration != declarations.end() && declaration->end < place.end) ++declaration;
    if (declaration == declarations.end() || place.begin < declaration->begin ||
        !ConditionsClose(lexed, *declaration))
      return std::nullopt;
    if (!around.empty() && around.back().end >= declaration->end) continue;
    if (!around.empty() && IsEmpty(lexed, {around.back().end, declaration->begin})) {
      around.back().end = declaration->end;
    } else {
      around.push_back(*declaration);
    }
  }
  if (around.size() > kMostParts) return std::nullopt;
  return around;
}

}  // namespace culprit::inventory
