// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/shared_aliases.h"

#include <algorithm>

namespace culprit::inventory {
namespace {

bool Is(const std::vector<Token>& tokens, size_t index, std::string_view punctuator) {
  return index < tokens.size() && tokens[index].Is(punctuator);
}

// Whether the brace at `open` begins the members of a struct, class or union.
bool OpensMembers(const std::vector<Token>& tokens, size_t open) {
  constexpr size_t kReach = 64;
  for (size_t i = open; i > 0 && open - i < kReach; --i) {
    const Token& token = tokens[i - 1];
    if (token.Is(";") || token.Is("{") || token.Is("}") || token.Is("=")) return false;
    if (token.IsName() &&
        (token.text == "struct" || token.text == "class" || token.text == "union"))
      return true;
  }
  return false;
}

enum class Shape { kUse, kPointer, kObject, kFunction };

// What the name at `index`, outside every function body, is declared as.
Shape ShapeOf(const std::vector<Token>& tokens, size_t index) {
  if (index == 0) return Shape::kUse;
  const Token& before = tokens[index - 1];
  const bool in_brackets = index >= 2 && before.Is("*") && tokens[index - 2].Is("(");
  if (in_brackets && Is(tokens, index + 1, ")") && Is(tokens, index + 2, "("))
    return Shape::kPointer;
  if (Is(tokens, index + 1, "(")) return Shape::kFunction;
  const bool declarator = before.IsName() || before.Is("*") || before.Is(">") || before.Is(",");
  const bool ends = Is(tokens, index + 1, ";") || Is(tokens, index + 1, "=") ||
                    Is(tokens, index + 1, ",") || Is(tokens, index + 1, "[") ||
                    Is(tokens, index + 1, "{") || Is(tokens, index + 1, ")");
  return declarator && ends ? Shape::kObject : Shape::kUse;
}

bool IsExtern(const std::vector<Token>& tokens, size_t index) {
  constexpr size_t kReach = 16;
  for (size_t i = index; i > 0 && index - i < kReach; --i) {
    const Token& token = tokens[i - 1];
    if (token.Is(";") || token.Is("{") || token.Is("}")) return false;
    if (token.IsName() && token.text == "extern") return true;
  }
  return false;
}

}  // namespace

void SharedAliasCollector::AddStored(const std::vector<Mention>& mentions) {
  for (const Mention& mention : mentions) {
    const bool stores =
        mention.kind == MentionKind::kStored || mention.kind == MentionKind::kLookup;
    if (!stores || mention.alias.empty() || FindEntry(mention.alias)) continue;
    const auto [known, is_new] = stored_.try_emplace(mention.alias, mention.entry);
    if (!is_new && known->second && known->second->lookup != mention.entry->lookup)
      known->second = nullptr;
  }
}

void SharedAliasCollector::CountDeclarations(const Lexed& lexed, const Outline& outline) {
  const std::vector<Token>& tokens = lexed.tokens;
  std::vector<bool> braces;  // of each open one outside functions: whether members follow
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.in_directive) {
      const bool defines = i > 0 && !tokens[i - 1].in_directive;
      if (defines && token.IsName() && stored_.contains(token.text))
        ++declared_[std::string(token.text)].others;
      continue;
    }
    if (const FunctionSpan* function = outline.At(token.begin)) {
      i = std::max<size_t>(i, function->last_token - 1);
    } else if (token.Is("{")) {
      braces.push_back(OpensMembers(tokens, i));
    } else if (token.Is("}") && !braces.empty()) {
      braces.pop_back();
    } else if (token.IsName() && stored_.contains(token.text)) {
      Declarations& seen = declared_[std::string(token.text)];
      const bool member = !braces.empty() && braces.back();
      const Shape shape = ShapeOf(tokens, i);
      if (shape == Shape::kFunction) ++seen.others;
      if (shape == Shape::kUse || shape == Shape::kFunction) continue;
      if (member || !IsExtern(tokens, i)) ++(member ? seen.members : seen.variables);
    }
  }
}

SharedAliases SharedAliasCollector::Take() const {
  SharedAliases aliases;
  for (const auto& [name, entry] : stored_) {
    const auto declared = declared_.find(name);
    if (!entry || declared == declared_.end()) continue;
    const Declarations& seen = declared->second;
    if (seen.others == 0 && seen.members + seen.variables == 1)
      aliases.emplace(name, SharedAlias{entry, seen.members == 1});
  }
  return aliases;
}

}  // namespace culprit::inventory
