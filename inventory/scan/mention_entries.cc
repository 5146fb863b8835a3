// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "inventory/scan/mention_finder.h"

namespace culprit::inventory {
namespace {

// Whether the macro makes strings of its parameters and does nothing else with them.
bool OnlyStringizes(const Macro& macro) {
  if (!macro.stringizes) return false;
  for (size_t i = 0; i < macro.body.size(); ++i) {
    const bool parameter = std::find(macro.parameters.begin(), macro.parameters.end(),
                                     macro.body[i].text) != macro.parameters.end();
    if (parameter && (i == 0 || macro.body[i - 1].text != "#")) return false;
  }
  return true;
}

}  // namespace

void MentionFinder::VisitEntry(const Token& token, const DriverEntry* entry) {
  if (in_directive_ && FindEntry(defined_macro_)) return;  // #define cuMemFree cuMemFree_v2
  const bool paste_operand = Is(near_.Before(at_), "##") || Is(near_.After(at_), "##");
  if (paste_operand) return;
  if (!groups_.empty() && groups_.back().unevaluated) return;
  const size_t chain = near_.ChainStart(at_);
  const bool member = chain != at_;
  if (Is(near_.After(at_), "(")) {
    if (!member && IsDeclaration(chain)) return VisitDeclaration(token, entry);
    return Add(member ? MentionKind::kTableCall : MentionKind::kCall, token, entry);
  }
  if (near_.IsParenthesisedCallee(chain, at_))
    return Add(member ? MentionKind::kTableCall : MentionKind::kCall, token, entry);
  if (near_.IsSlot(at_, member) || IsPresenceTest(chain)) return;
  ClassifyValue(token, entry, chain);
}

bool MentionFinder::IsDeclaration(size_t chain) const {
  size_t index = chain;
  if (Is(near_.Before(index), "::")) --index;
  const Token* previous = near_.Before(index);
  if (!previous || in_directive_) return false;
  if (previous->IsName()) return !IsStatementWord(previous->text);
  const bool in_function = outline_.At(tokens_[at_].begin) != nullptr;
  return !in_function && (previous->Is("*") || previous->Is("&") || previous->Is(">"));
}

void MentionFinder::VisitDeclaration(const Token& token, const DriverEntry* entry) {
  const auto& functions = outline_.functions;
  const auto function =
      std::lower_bound(functions.begin(), functions.end(), token.begin,
                       [](const FunctionSpan& span, uint32_t begin) { return span.begin < begin; });
  if (function != functions.end() && function->begin == token.begin)
    Add(MentionKind::kDefinition, token, entry);
}

bool MentionFinder::IsPresenceTest(size_t chain) const {
  const Token* before = near_.Before(chain);
  const Token* after = near_.After(at_);
  if (Is(before, "!") || Is(after, "==") || Is(after, "!=") || Is(before, "==") || Is(before, "!="))
    return true;
  if (Is(after, "&&") || Is(after, "||") || Is(after, "?")) return true;
  if (Is(before, "&&") || Is(before, "||")) return true;
  if (!Is(before, "(") || !Is(after, ")") || groups_.empty()) return false;
  const std::string_view callee = groups_.back().callee;
  return callee == "if" || callee == "while" || callee == "assert";
}

void MentionFinder::ClassifyValue(const Token& token, const DriverEntry* entry, size_t chain) {
  const Token* before = near_.Before(chain);
  if (Is(before, "&")) before = near_.Before(chain, 2);
  const bool is_argument = !groups_.empty() && groups_.back().opener == '(' &&
                           !groups_.back().callee.empty() && (Is(before, "(") || Is(before, ",")) &&
                           !IsStatementWord(groups_.back().callee);
  if (is_argument && LooksUpItsArgument(groups_.back().callee))
    return Add(MentionKind::kLookup, token, entry);
  const Macro* macro = is_argument ? context_.macros.Find(groups_.back().callee) : nullptr;
  if (macro && OnlyStringizes(*macro)) return;  // the macro itself says what the string is for
  Add(is_argument ? MentionKind::kArgument : MentionKind::kStored, token, entry);
}

bool MentionFinder::LooksUpItsArgument(std::string_view callee) const {
  const Macro* macro = context_.macros.Find(callee);
  return macro && macro->stringizes && LooksUp(callee);
}

}  // namespace culprit::inventory
