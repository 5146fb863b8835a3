// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/neighbours.h"

#include <algorithm>

namespace culprit::inventory {
namespace {

// Tokens that one search looks at. Statements that people write are far shorter.
constexpr size_t kReach = 2000;

bool Is(const Token* token, std::string_view punctuator) { return token && token->Is(punctuator); }

}  // namespace

bool IsStatementWord(std::string_view word) {
  constexpr std::string_view kWords[] = {"return", "else",  "do",        "case",
                                         "goto",   "throw", "co_return", "co_await"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

const Token* Neighbours::Before(size_t index, size_t distance) const {
  return index >= distance && tokens_[index - distance].in_directive == tokens_[index].in_directive
             ? &tokens_[index - distance]
             : nullptr;
}

const Token* Neighbours::After(size_t index, size_t distance) const {
  return index + distance < tokens_.size() ? &tokens_[index + distance] : nullptr;
}

size_t Neighbours::ChainStart(size_t last) const {
  size_t first = last;
  while (first >= 1 && last - first < kReach) {
    const Token& link = tokens_[first - 1];
    if (link.Is("::") && (first < 2 || !tokens_[first - 2].IsName()))
      return first;  // ::cuMemFree is the plain entry
    if (!link.Is("->") && !link.Is(".") && !link.Is("::") && !link.Is("->*")) return first;
    if (first < 2) return first;
    size_t before = first - 2;
    while (tokens_[before].Is(")") || tokens_[before].Is("]")) {
      const size_t open = MatchingOpen(before);
      if (open == 0 || open == before) return before;
      before = open - 1;
    }
    first = tokens_[before].IsName() ? before : before + 1;
    if (!tokens_[before].IsName()) return first;
  }
  return first;
}

size_t Neighbours::MatchingOpen(size_t close) const {
  int depth = 0;
  for (size_t i = close;; --i) {
    if (tokens_[i].Is(")") || tokens_[i].Is("]")) ++depth;
    if (tokens_[i].Is("(") || tokens_[i].Is("[")) --depth;
    if (depth == 0 || i == 0) return i;
    if (close - i > kReach) return close;
  }
}

bool Neighbours::IsParenthesisedCallee(size_t chain, size_t last) const {
  size_t first = chain;
  while (first > 0 && (Is(Before(first), "*") || Is(Before(first), "&"))) --first;
  return Is(Before(first), "(") && Is(After(last), ")") && Is(After(last, 2), "(") &&
         !IsFunctionPointerDeclaration(chain, last);
}

// CUresult (*close)(CUmodule);
bool Neighbours::IsFunctionPointerDeclaration(size_t chain, size_t last) const {
  if (chain != last || !Is(Before(chain), "*") || !Is(Before(chain, 2), "(")) return false;
  if (!Is(After(last), ")") || !Is(After(last, 2), "(")) return false;
  const Token* before = Before(chain, 3);
  return before && before->IsName() && !IsStatementWord(before->text);
}

bool Neighbours::IsSlot(size_t index, bool member) const {
  const Token* previous = Before(index);
  if (Is(After(index), "=") &&
      (member || Is(previous, ".") || Is(previous, "*") || (previous && previous->IsName())))
    return true;
  if (Is(previous, ".") && !member) return true;
  const bool follows_name = previous && previous->IsName() && !IsStatementWord(previous->text);
  const bool declarator = follows_name || (Is(previous, "*") && IsDeclaredPointer(index));
  return declarator && (Is(After(index), ";") || Is(After(index), ",") || Is(After(index), ")") ||
                        Is(After(index), "{") || Is(After(index), "["));
}

// `tcuMemFree *cuMemFree` and `(*cuMemFree)(` declare; in `x = *cuMemFree` and `f(*cuMemFree)` the
// star takes the value.
bool Neighbours::IsDeclaredPointer(size_t index) const {
  size_t star = index;
  while (star > 0 && Is(Before(star), "*")) --star;
  const Token* before = Before(star);
  if (!before) return false;
  if (before->IsName()) return !IsStatementWord(before->text);
  if (before->Is(")")) {  // decltype(f)* f
    const size_t open = MatchingOpen(star - 1);
    const Token* word = open > 0 ? &tokens_[open - 1] : nullptr;
    return word &&
           (word->text == "decltype" || word->text.find("typeof") != std::string_view::npos);
  }
  return before->Is(">") || IsFunctionPointerDeclaration(index, index);
}

std::string Neighbours::AssignedName(size_t index) const {
  const size_t stop = index > kReach ? index - kReach : 0;
  for (size_t i = index; i > stop; --i) {
    const Token& token = tokens_[i - 1];
    if (token.in_directive != tokens_[index].in_directive) break;
    if (token.Is(";") || token.Is("{") || token.Is("}")) break;
    if (!token.Is("=") || i < 2) continue;
    size_t name = i - 2;
    while (name > 0 && (tokens_[name].Is("]") || tokens_[name].Is(")"))) {
      const size_t open = MatchingOpen(name);
      if (open == 0 || open == name) return {};
      name = open - 1;
    }
    if (!tokens_[name].IsName()) return {};
    // CUresult (*close)(CUmodule) = cuModuleUnload;
    if (tokens_[name + 1].Is("(") && name + 3 < tokens_.size() && tokens_[name + 2].Is("*"))
      return std::string(tokens_[name + 3].text);
    return std::string(tokens_[name].text);
  }
  return {};
}

std::string Neighbours::AddressedName(size_t index) const {
  constexpr size_t kSoon = 16;
  for (size_t i = index + 1; i + 1 < tokens_.size() && i < index + kSoon; ++i) {
    if (tokens_[i].Is(";")) break;
    if (!tokens_[i].Is("&") || !tokens_[i + 1].IsName()) continue;
    size_t name = i + 1;
    while (name + 2 < tokens_.size() && name < index + kReach &&
           (tokens_[name + 1].Is("->") || tokens_[name + 1].Is(".")) && tokens_[name + 2].IsName())
      name += 2;
    return std::string(tokens_[name].text);
  }
  return {};
}

}  // namespace culprit::inventory
