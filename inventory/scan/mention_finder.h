// SPDX-License-Identifier: Apache-2.0
// The walk over a file's tokens that finds mentions. mentions.cc keeps track of where the walk is,
// mention_entries.cc judges the driver's own names, mention_indirect.cc everything that stands for
// one: macros, strings, other names.
#ifndef CULPRIT_INVENTORY_SCAN_MENTION_FINDER_H_
#define CULPRIT_INVENTORY_SCAN_MENTION_FINDER_H_

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inventory/scan/mentions.h"
#include "inventory/scan/neighbours.h"

namespace culprit::inventory {

class MentionFinder {
 public:
  MentionFinder(const Lexed& lexed, const Outline& outline, const MentionContext& context)
      : tokens_(lexed.tokens),
        near_(lexed.tokens),
        directives_(lexed.directives),
        outline_(outline),
        context_(context) {}

  std::vector<Mention> Run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (EnterDirective()) continue;
      const Token& token = tokens_[at_];
      if (token.IsName()) {
        VisitName(token);
      } else if (token.kind == TokenKind::kString) {
        VisitString(token);
      } else if (token.Is("(") || token.Is("[") || token.Is("{")) {
        OpenGroup(token);
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
    bool unevaluated;         // the operand of sizeof and the like, or within one
  };

  void OpenGroup(const Token& token);

  // Tokens of a directive other than #define mention nothing; groups do not reach across a
  // directive's border. Returns true at the last token of a directive that was passed over.
  bool EnterDirective();

  // #pragma weak unload = cuModuleUnload
  void VisitPragma(const Directive& pragma);

  static bool Is(const Token* token, std::string_view punctuator) {
    return token && token->Is(punctuator);
  }

  std::string_view EnclosingCallee() const;

  void VisitName(const Token& token);

  void VisitEntry(const Token& token, const DriverEntry* entry);

  // `CUresult cuMemFree(` declares; `return cuMemFree(` and `(void)cuMemFree(` call.
  bool IsDeclaration(size_t chain) const;

  void VisitDeclaration(const Token& token, const DriverEntry* entry);

  // !f->cuMemFree, f->cuMemFree == NULL, if (f->cuMemFree)
  bool IsPresenceTest(size_t chain) const;

  void ClassifyValue(const Token& token, const DriverEntry* entry, size_t chain);

  // LOAD(cuMemFree), where LOAD hands #name to dlsym.
  bool LooksUpItsArgument(std::string_view callee) const;

  bool LooksUp(std::string_view callee) const;

  void VisitMacro(const Token& token, const Macro& macro);

  // Names that the macro glues together: cu##x, or CAT(cu, x) two macros further down.
  void VisitGlued(const Token& token);

  // dlsym(library, NAME) and dlsym(library, PREFIX "ModuleUnload"), up to the next comma.
  void VisitNamedString(const Token& token);

  void VisitString(const Token& token);

  // asm("call cuModuleUnload") and the assembler's name of a declaration.
  void VisitAssembler(const Token& token);

  // dlsym returns the pointer, cuGetProcAddress writes it; a wrapper may do either.
  std::string LookedUpInto(std::string_view callee) const;

  void VisitAlias(const Token& token);

  const DriverEntry* EntryBehind(std::string_view name) const;

  void Add(MentionKind kind, const Token& token, const DriverEntry* entry,
           std::string_view named = {});

  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  const std::vector<Token>& tokens_;
  const Neighbours near_;
  const std::vector<Directive>& directives_;
  const Outline& outline_;
  const MentionContext& context_;
  std::vector<Mention> mentions_;
  std::vector<Group> groups_, outer_groups_;
  using NamedEntries =
      std::unordered_map<std::string, const DriverEntry*, TextHash, std::equal_to<>>;
  NamedEntries aliases_, named_strings_;
  std::string defined_macro_;
  size_t at_ = 0, directive_ = 0;
  size_t expanded_until_ = 0;  // tokens before it were arguments of a macro that glues
  bool in_directive_ = false;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_MENTION_FINDER_H_
