// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/mentions.h"

#include <algorithm>

#include "inventory/scan/mention_finder.h"

namespace culprit::inventory {
namespace {

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool IsUnevaluated(std::string_view callee) {
  return IsOneOf(callee, {"decltype", "sizeof", "typeof", "__typeof__", "__typeof", "alignof",
                          "noexcept", "_Alignof"});
}

// asm volatile (...)
bool IsAssemblerQualifier(std::string_view word) {
  return IsOneOf(word, {"volatile", "__volatile__", "__volatile"});
}

}  // namespace

void MentionFinder::OpenGroup(const Token& token) {
  size_t before = at_;
  while (before > 1 && IsAssemblerQualifier(tokens_[before - 1].text)) --before;
  const bool named = before > 0 && tokens_[before - 1].IsName();
  const std::string_view callee = named ? tokens_[before - 1].text : std::string_view();
  const bool within = !groups_.empty() && groups_.back().unevaluated;
  groups_.push_back({token.text[0], callee, within || IsUnevaluated(callee)});
}

bool MentionFinder::EnterDirective() {
  if (in_directive_ && !tokens_[at_].in_directive) {
    groups_ = std::move(outer_groups_);
    in_directive_ = false;
  }
  while (directive_ < directives_.size() && directives_[directive_].last_token <= at_) ++directive_;
  if (directive_ >= directives_.size() || directives_[directive_].first_token != at_ ||
      !tokens_[at_].in_directive)
    return false;
  if (!in_directive_) outer_groups_ = std::move(groups_);
  groups_.clear();
  in_directive_ = true;
  const bool is_define = directives_[directive_].name == "define";
  defined_macro_ = is_define ? std::string(tokens_[at_].text) : std::string();
  if (is_define) return false;
  if (directives_[directive_].name == "pragma") VisitPragma(directives_[directive_]);
  at_ = directives_[directive_].last_token - 1;
  return true;
}

void MentionFinder::VisitPragma(const Directive& pragma) {
  const std::string_view kind = tokens_[pragma.first_token].text;
  if (kind != "weak" && kind != "redefine_extname") return;
  for (at_ = pragma.first_token + 1; at_ < pragma.last_token; ++at_) {
    if (!tokens_[at_].IsName()) continue;
    if (const DriverEntry* entry = FindEntry(tokens_[at_].text))
      Add(MentionKind::kLinked, tokens_[at_], entry);
  }
}

std::string_view MentionFinder::EnclosingCallee() const {
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
    if (group->opener == '(' && !group->callee.empty() && !IsStatementWord(group->callee))
      return group->callee;
    if (group->opener == '{') break;
  }
  return {};
}

void MentionFinder::VisitName(const Token& token) {
  const std::string_view name = token.text;
  if (name.starts_with("cu")) {
    if (const DriverEntry* entry = FindEntry(name)) return VisitEntry(token, entry);
  }
  if (in_directive_ && name == defined_macro_) return;
  if (const Macro* macro = context_.macros.Find(name)) return VisitMacro(token, *macro);
  VisitAlias(token);
}

void MentionFinder::Add(MentionKind kind, const Token& token, const DriverEntry* entry,
                        std::string_view named) {
  const FunctionSpan* function = outline_.At(token.begin);
  const std::string_view callee = EnclosingCallee();
  Mention mention{kind,
                  entry,
                  std::string(token.text),
                  std::string(named),
                  std::string(callee),
                  "",
                  token.begin,
                  token.end,
                  static_cast<uint32_t>(at_),
                  in_directive_,
                  in_directive_ ? defined_macro_
                  : function    ? function->name
                                : ""};
  if (kind == MentionKind::kStored || kind == MentionKind::kLookup) {
    std::string name = kind == MentionKind::kStored ? near_.AssignedName(near_.ChainStart(at_))
                                                    : LookedUpInto(callee);
    if (!name.empty() && !FindEntry(name)) aliases_.emplace(name, entry);
    mention.alias = std::move(name);
  }
  mentions_.push_back(std::move(mention));
}

std::string_view Describe(MentionKind kind) {
  switch (kind) {
    case MentionKind::kCall:
      return "called directly";
    case MentionKind::kTableCall:
      return "called through a function table";
    case MentionKind::kAliasCall:
      return "called through a stored pointer";
    case MentionKind::kMacroUse:
      return "called by a macro";
    case MentionKind::kPasted:
      return "named by token pasting";
    case MentionKind::kArgument:
      return "passed as an argument";
    case MentionKind::kStored:
      return "stored as a pointer";
    case MentionKind::kLookup:
      return "looked up by name";
    case MentionKind::kLinked:
      return "linked under another name";
    case MentionKind::kDefinition:
      return "defined";
  }
  return "";
}

std::vector<Mention> FindMentions(const Lexed& lexed, const Outline& outline,
                                  const MentionContext& context) {
  return MentionFinder(lexed, outline, context).Run();
}

}  // namespace culprit::inventory
