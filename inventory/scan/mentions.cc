// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/mentions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace culprit::inventory {
namespace {

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool IsLookupFunction(std::string_view name) {
  return IsOneOf(name, {"dlsym", "dlvsym", "GetProcAddress", "cuGetProcAddress",
                        "cuGetProcAddress_v2", "g_module_symbol", "SDL_LoadFunction", "lt_dlsym"});
}

bool IsUnevaluated(std::string_view callee) {
  return IsOneOf(callee, {"decltype", "sizeof", "typeof", "__typeof__", "__typeof", "alignof",
                          "noexcept", "_Alignof"});
}

bool IsStatementWord(std::string_view word) {
  return IsOneOf(word, {"return", "else", "do", "co_return", "co_await", "case", "goto", "throw"});
}

class MentionFinder {
 public:
  MentionFinder(const Lexed& lexed, const Outline& outline, const MentionContext& context)
      : tokens_(lexed.tokens),
        directives_(lexed.directives),
        outline_(outline),
        context_(context) {}

  std::vector<Mention> Run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      EnterDirective();
      const Token& token = tokens_[at_];
      if (token.IsName()) {
        VisitName(token);
      } else if (token.kind == TokenKind::kString) {
        VisitString(token);
      } else if (token.Is("(") || token.Is("[") || token.Is("{")) {
        groups_.push_back({token.text[0], at_ > 0 && tokens_[at_ - 1].IsName()
                                              ? tokens_[at_ - 1].text
                                              : std::string_view{}});
      } else if ((token.Is(")") || token.Is("]") || token.Is("}")) && !groups_.empty()) {
        groups_.pop_back();
      }
    }
    return std::move(mentions_);
  }

 private:
  struct Group {
    char opener;
    std::string_view callee;  // the name before the bracket
  };

  // Tokens of a directive other than #define mention nothing; groups do not reach across a
  // directive's border.
  void EnterDirective() {
    if (in_directive_ && !tokens_[at_].in_directive) {
      groups_ = std::move(outer_groups_);
      in_directive_ = false;
    }
    while (directive_ < directives_.size() && directives_[directive_].last_token <= at_)
      ++directive_;
    if (directive_ >= directives_.size() || directives_[directive_].first_token != at_ ||
        !tokens_[at_].in_directive)
      return;
    if (!in_directive_) outer_groups_ = std::move(groups_);
    groups_.clear();
    in_directive_ = true;
    const bool is_define = directives_[directive_].name == "define";
    defined_macro_ = is_define ? std::string(tokens_[at_].text) : std::string();
    if (!is_define) at_ = directives_[directive_].last_token - 1;
  }

  const Token* Before(size_t index, size_t distance = 1) const {
    return index >= distance &&
                   tokens_[index - distance].in_directive == tokens_[index].in_directive
               ? &tokens_[index - distance]
               : nullptr;
  }
  const Token* After(size_t index, size_t distance = 1) const {
    return index + distance < tokens_.size() ? &tokens_[index + distance] : nullptr;
  }
  static bool Is(const Token* token, std::string_view punctuator) {
    return token && token->Is(punctuator);
  }

  std::string_view EnclosingCallee() const {
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
      if (group->opener == '(' && !group->callee.empty() && !IsStatementWord(group->callee))
        return group->callee;
      if (group->opener == '{') break;
    }
    return {};
  }

  void VisitName(const Token& token) {
    const std::string_view name = token.text;
    if (name.starts_with("cu")) {
      if (const DriverEntry* entry = FindEntry(name)) return VisitEntry(token, entry);
    }
    if (in_directive_ && name == defined_macro_) return;
    if (const Macro* macro = context_.macros.Find(name)) return VisitMacro(token, *macro);
    VisitAlias(token);
  }

  void VisitEntry(const Token& token, const DriverEntry* entry) {
    if (in_directive_ && FindEntry(defined_macro_)) return;  // #define cuMemFree cuMemFree_v2
    const bool paste_operand = Is(Before(at_), "##") || Is(After(at_), "##");
    if (paste_operand) return;
    if (std::any_of(groups_.begin(), groups_.end(),
                    [](const Group& group) { return IsUnevaluated(group.callee); }))
      return;
    const size_t chain = ChainStart(at_);
    const bool member = chain != at_;
    if (Is(After(at_), "(")) {
      if (!member && IsDeclaration(chain)) return VisitDeclaration(token, entry);
      return Add(member ? MentionKind::kTableCall : MentionKind::kCall, token, entry);
    }
    if (IsParenthesisedCallee(chain))
      return Add(member ? MentionKind::kTableCall : MentionKind::kCall, token, entry);
    if (IsSlot(member) || IsPresenceTest(chain)) return;
    ClassifyValue(token, entry, chain);
  }

  // Index of the first token of `a->b.c::d` that ends at `last`; subscripts and calls in the chain
  // are stepped over.
  size_t ChainStart(size_t last) const {
    size_t first = last;
    while (first >= 1) {
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

  size_t MatchingOpen(size_t close) const {
    int depth = 0;
    for (size_t i = close;; --i) {
      if (tokens_[i].Is(")") || tokens_[i].Is("]")) ++depth;
      if (tokens_[i].Is("(") || tokens_[i].Is("[")) --depth;
      if (depth == 0 || i == 0) return i;
    }
  }

  // `CUresult cuMemFree(` declares; `return cuMemFree(` and `(void)cuMemFree(` call.
  bool IsDeclaration(size_t chain) const {
    size_t index = chain;
    if (Is(Before(index), "::")) --index;
    const Token* previous = Before(index);
    if (!previous || in_directive_) return false;
    if (previous->IsName()) return !IsStatementWord(previous->text);
    const bool in_function = outline_.At(tokens_[at_].begin) != nullptr;
    return !in_function && (previous->Is("*") || previous->Is("&") || previous->Is(">"));
  }

  void VisitDeclaration(const Token& token, const DriverEntry* entry) {
    for (const FunctionSpan& function : outline_.functions) {
      if (function.begin == token.begin) Add(MentionKind::kDefinition, token, entry);
    }
  }

  // (*f->cuModuleUnload)(m) and (f->cuModuleUnload)(m)
  bool IsParenthesisedCallee(size_t chain) const {
    const Token* before = Before(chain);
    if (Is(before, "*")) before = Before(chain, 2);
    return Is(before, "(") && Is(After(at_), ")") && Is(After(at_, 2), "(") &&
           !IsFunctionPointerDeclaration(chain);
  }

  // CUresult (*cuModuleUnload)(CUmodule);
  bool IsFunctionPointerDeclaration(size_t chain) const {
    if (chain != at_ || !Is(Before(chain), "*")) return false;
    const Token* before = Before(chain, 3);
    return before && before->IsName() && !IsStatementWord(before->text);
  }

  // A member that receives something (f->cuMemFree = ...; .cuMemFree = ...) or is being declared
  // (tcuMemFree *cuMemFree;).
  bool IsSlot(bool member) const {
    if (Is(After(at_), "=") && (member || Is(Before(at_), ".") || Is(Before(at_), "*") ||
                                (Before(at_) && Before(at_)->IsName())))
      return true;
    if (Is(Before(at_), ".") && !member) return true;
    const Token* previous = Before(at_);
    const bool declarator =
        previous && (previous->Is("*") || (previous->IsName() && !IsStatementWord(previous->text)));
    return declarator && (Is(After(at_), ";") || Is(After(at_), ",") || Is(After(at_), ")") ||
                          Is(After(at_), "{") || Is(After(at_), "["));
  }

  // !f->cuMemFree, f->cuMemFree == NULL, if (f->cuMemFree)
  bool IsPresenceTest(size_t chain) const {
    const Token* before = Before(chain);
    const Token* after = After(at_);
    if (Is(before, "!") || Is(after, "==") || Is(after, "!=") || Is(before, "==") ||
        Is(before, "!="))
      return true;
    if (Is(after, "&&") || Is(after, "||") || Is(after, "?")) return true;
    if (Is(before, "&&") || Is(before, "||")) return true;
    return Is(before, "(") && Is(after, ")") && !groups_.empty() &&
           IsOneOf(groups_.back().callee, {"if", "while", "assert"});
  }

  void ClassifyValue(const Token& token, const DriverEntry* entry, size_t chain) {
    const Token* before = Before(chain);
    if (Is(before, "&")) before = Before(chain, 2);
    const bool is_argument =
        !groups_.empty() && groups_.back().opener == '(' && !groups_.back().callee.empty() &&
        (Is(before, "(") || Is(before, ",")) && !IsStatementWord(groups_.back().callee);
    if (is_argument && LooksUpItsArgument(groups_.back().callee))
      return Add(MentionKind::kLookup, token, entry);
    Add(is_argument ? MentionKind::kArgument : MentionKind::kStored, token, entry);
  }

  // LOAD(cuMemFree), where LOAD hands #name to dlsym.
  bool LooksUpItsArgument(std::string_view callee) const {
    const Macro* macro = context_.macros.Find(callee);
    return macro && !macro->stringized.empty() &&
           context_.lookup_functions.contains(std::string(callee));
  }

  // The name on the left of the `=` that governs the token at `index`, looking back to the start of
  // the statement.
  std::string AssignedName(size_t index) const {
    for (size_t i = index; i > 0; --i) {
      const Token& token = tokens_[i - 1];
      if (token.in_directive != tokens_[index].in_directive) break;
      if (token.Is(";") || token.Is("{") || token.Is("}")) break;
      if (token.Is("=") && i >= 2) {
        size_t name = i - 2;
        while (name > 0 && (tokens_[name].Is("]") || tokens_[name].Is(")")))
          name = MatchingOpen(name) - 1;
        // CUresult (*unload)(CUmodule) = cuModuleUnload;
        if (tokens_[name].Is("(") || !tokens_[name].IsName()) return {};
        if (tokens_[name + 1].Is("(") && name + 3 < tokens_.size() && tokens_[name + 2].Is("*"))
          return std::string(tokens_[name + 3].text);
        return std::string(tokens_[name].text);
      }
    }
    return {};
  }

  void VisitMacro(const Token& token, const Macro& macro) {
    if (in_directive_) return;
    for (const std::string& name : macro.names) {
      const DriverEntry* entry =
          name.starts_with("cu") && !FindEntry(macro.name) ? FindEntry(name) : nullptr;
      if (entry && entry->role != Role::kOther) Add(MentionKind::kMacroUse, token, entry);
    }
    if (!macro.pastes.empty() && Is(After(at_), "(")) VisitPaste(token, macro);
  }

  void VisitPaste(const Token& token, const Macro& macro) {
    const std::vector<std::string> arguments = SingleNameArguments(at_ + 1);
    for (const Macro::Paste& paste : macro.pastes) {
      if (paste.parameter >= static_cast<int>(arguments.size()) ||
          arguments[paste.parameter].empty())
        continue;
      const std::string name = paste.prefix + arguments[paste.parameter] + paste.suffix;
      if (const DriverEntry* entry = FindEntry(name)) Add(MentionKind::kPasted, token, entry);
    }
  }

  // The arguments of the call whose parenthesis is at `open`; those that are no single name are
  // left empty.
  std::vector<std::string> SingleNameArguments(size_t open) const {
    std::vector<std::string> arguments(1);
    int depth = 0, words = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.Is("(")) ++depth;
      if (token.Is(")") && --depth == 0) break;
      if (token.Is(",") && depth == 1) {
        arguments.emplace_back();
        words = 0;
      } else if (i > open) {
        arguments.back() = ++words == 1 && token.IsName() ? std::string(token.text) : std::string();
      }
    }
    return arguments;
  }

  void VisitString(const Token& token) {
    const DriverEntry* entry = token.text.starts_with("cu") ? FindEntry(token.text) : nullptr;
    if (!entry) return;
    const std::string_view callee = EnclosingCallee();
    const bool looked_up =
        IsLookupFunction(callee) || context_.lookup_functions.contains(std::string(callee));
    const bool in_table = callee.empty() && !groups_.empty() && groups_.back().opener == '{' &&
                          !context_.lookup_functions.empty() && !outline_.At(token.begin);
    if (!looked_up && !in_table) return;
    Add(MentionKind::kLookup, token, entry);
  }

  // dlsym returns the pointer, cuGetProcAddress writes it; a wrapper may do either.
  std::string LookedUpInto(std::string_view callee) const {
    const std::string assigned = AssignedName(at_);
    const bool returns_pointer =
        !assigned.empty() && callee.find("cuGetProcAddress") == std::string_view::npos;
    return returns_pointer ? assigned : OutArgument();
  }

  // cuGetProcAddress("cuMemFree", (void**)&free_fn, ...): the name whose address follows.
  std::string OutArgument() const {
    for (size_t i = at_ + 1; i + 1 < tokens_.size() && i < at_ + 16; ++i) {
      if (tokens_[i].Is(";")) break;
      if (!tokens_[i].Is("&") || !tokens_[i + 1].IsName()) continue;
      size_t name = i + 1;
      while (name + 2 < tokens_.size() &&
             (tokens_[name + 1].Is("->") || tokens_[name + 1].Is(".")) &&
             tokens_[name + 2].IsName())
        name += 2;
      return std::string(tokens_[name].text);
    }
    return {};
  }

  void VisitAlias(const Token& token) {
    const auto alias = aliases_.find(token.text);
    if (alias == aliases_.end()) return;
    const bool called = Is(After(at_), "(") || IsParenthesisedCallee(ChainStart(at_));
    if (called) Add(MentionKind::kAliasCall, token, alias->second);
  }

  void Add(MentionKind kind, const Token& token, const DriverEntry* entry) {
    const FunctionSpan* function = outline_.At(token.begin);
    const std::string_view callee = EnclosingCallee();
    Mention mention{kind,
                    entry,
                    std::string(token.text),
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
      std::string name =
          kind == MentionKind::kStored ? AssignedName(ChainStart(at_)) : LookedUpInto(callee);
      if (!name.empty() && !FindEntry(name)) aliases_.emplace(name, entry);
      mention.alias = std::move(name);
    }
    mentions_.push_back(std::move(mention));
  }

  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  const std::vector<Token>& tokens_;
  const std::vector<Directive>& directives_;
  const Outline& outline_;
  const MentionContext& context_;
  std::vector<Mention> mentions_;
  std::vector<Group> groups_, outer_groups_;
  std::unordered_map<std::string, const DriverEntry*, TextHash, std::equal_to<>> aliases_;
  std::string defined_macro_;
  size_t at_ = 0, directive_ = 0;
  bool in_directive_ = false;
};

}  // namespace

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
    case MentionKind::kDefinition:
      return "defined";
  }
  return "";
}

std::set<std::string> LookupMacros(const MacroTable& macros) {
  std::set<std::string> names;
  for (const auto& [name, macro] : macros.all()) {
    if (std::any_of(macro.names.begin(), macro.names.end(), IsLookupFunction)) names.insert(name);
  }
  return names;
}

std::set<std::string> LookupFunctions(const Lexed& lexed, const Outline& outline) {
  std::set<std::string> functions;
  const auto& tokens = lexed.tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].IsName() || !IsLookupFunction(tokens[i].text) || !tokens[i + 1].Is("("))
      continue;
    bool by_literal = false;
    for (size_t j = i + 2; j < tokens.size() && !tokens[j].Is(";"); ++j)
      by_literal |= tokens[j].kind == TokenKind::kString;
    const FunctionSpan* function = outline.At(tokens[i].begin);
    if (by_literal || !function) continue;
    const size_t qualifier = function->name.rfind("::");
    functions.insert(qualifier == std::string::npos ? function->name
                                                    : function->name.substr(qualifier + 2));
  }
  return functions;
}

std::vector<Mention> FindMentions(const Lexed& lexed, const Outline& outline,
                                  const MentionContext& context) {
  return MentionFinder(lexed, outline, context).Run();
}

}  // namespace culprit::inventory
