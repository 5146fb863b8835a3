// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <string>

#include "inventory/scan/expansion.h"
#include "inventory/scan/lookup.h"
#include "inventory/scan/mention_finder.h"

namespace culprit::inventory {
namespace {

constexpr size_t kLongestArgument = 500;  // in tokens

// Whose strings name symbols: asm("..."), __attribute__((alias("..."))).
bool IsAssembler(std::string_view callee) {
  constexpr std::string_view kNames[] = {"asm",       "__asm__", "__asm",      "alias",
                                         "__alias__", "weakref", "__weakref__"};
  return std::find(std::begin(kNames), std::end(kNames), callee) != std::end(kNames);
}

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

bool MentionFinder::LooksUp(std::string_view callee) const {
  return IsLookupFunction(callee) || context_.lookup_functions.contains(std::string(callee));
}

void MentionFinder::VisitMacro(const Token& token, const Macro& macro) {
  if (in_directive_) return;
  for (const std::string& name : macro.names) {
    const DriverEntry* entry =
        name.starts_with("cu") && !FindEntry(macro.name) ? FindEntry(name) : nullptr;
    if (entry && entry->role != Role::kOther) Add(MentionKind::kMacroUse, token, entry);
  }
  if (macro.glues && at_ >= expanded_until_) VisitGlued(token);
  if (macro.has_string && LooksUp(EnclosingCallee())) VisitNamedString(token);
}

void MentionFinder::VisitGlued(const Token& token) {
  const Expansion expansion = ExpandCall(context_.macros, std::span(tokens_).subspan(at_));
  expanded_until_ = at_ + expansion.read;
  for (const std::string& name : expansion.glued) {
    if (const DriverEntry* entry = FindEntry(name)) Add(MentionKind::kPasted, token, entry, name);
  }
}

void MentionFinder::VisitNamedString(const Token& token) {
  size_t first = at_, last = at_ + 1;
  while (first > 0 && tokens_[first - 1].kind == TokenKind::kString) --first;
  for (int depth = 0; last < tokens_.size() && last < at_ + kLongestArgument; ++last) {
    if (tokens_[last].Is("(")) ++depth;
    if (tokens_[last].Is(")") && --depth < 0) break;
    if (depth == 0 && (tokens_[last].Is(",") || tokens_[last].Is(";"))) break;
  }
  const Expansion expansion =
      Expand(context_.macros, std::span(tokens_).subspan(first, last - first));
  for (const std::string& text : expansion.strings) {
    if (const DriverEntry* entry = FindEntry(text)) Add(MentionKind::kLookup, token, entry, text);
  }
}

void MentionFinder::VisitString(const Token& token) {
  const std::string_view callee = EnclosingCallee();
  if (IsAssembler(callee)) return VisitAssembler(token);
  const DriverEntry* entry = token.text.starts_with("cu") ? FindEntry(token.text) : nullptr;
  if (!entry) return;
  const bool in_table = callee.empty() && !groups_.empty() && groups_.back().opener == '{' &&
                        !context_.lookup_functions.empty() && !outline_.At(token.begin);
  if (LooksUp(callee) || in_table) return Add(MentionKind::kLookup, token, entry);
  if (std::string name = near_.AssignedName(at_); !name.empty())
    named_strings_.emplace(std::move(name), entry);
}

void MentionFinder::VisitAssembler(const Token& token) {
  const std::string_view text = token.text;
  for (size_t at = text.find("cu"); at != std::string_view::npos; at = text.find("cu", at + 2)) {
    size_t end = at;
    while (end < text.size() && IsNameCharacter(text[end])) ++end;
    const bool starts_word = at == 0 || !IsNameCharacter(text[at - 1]);
    const std::string_view name = text.substr(at, end - at);
    const DriverEntry* entry = starts_word ? FindEntry(name) : nullptr;
    if (entry) return Add(MentionKind::kLinked, token, entry, name);
  }
}

std::string MentionFinder::LookedUpInto(std::string_view callee) const {
  const std::string assigned = near_.AssignedName(at_);
  const bool returns_pointer =
      !assigned.empty() && callee.find("cuGetProcAddress") == std::string_view::npos;
  return returns_pointer ? assigned : near_.AddressedName(at_);
}

void MentionFinder::VisitAlias(const Token& token) {
  if (!named_strings_.empty() && LooksUp(EnclosingCallee())) {
    const auto named = named_strings_.find(token.text);
    if (named != named_strings_.end())
      return Add(MentionKind::kLookup, token, named->second, named->second->symbol);
  }
  const DriverEntry* entry = EntryBehind(token.text);
  if (!entry) return;
  const bool called =
      Is(near_.After(at_), "(") || near_.IsParenthesisedCallee(near_.ChainStart(at_), at_);
  if (called) Add(MentionKind::kAliasCall, token, entry);
}

const DriverEntry* MentionFinder::EntryBehind(std::string_view name) const {
  if (const auto alias = aliases_.find(name); alias != aliases_.end()) return alias->second;
  const auto shared = context_.shared_aliases.find(name);
  if (shared == context_.shared_aliases.end()) return nullptr;
  const bool member = Is(near_.Before(at_), "->") || Is(near_.Before(at_), ".");
  return member == shared->second.member ? shared->second.entry : nullptr;
}

}  // namespace culprit::inventory
