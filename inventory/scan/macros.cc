// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/macros.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace culprit::inventory {
namespace {

int IndexOf(const std::vector<std::string>& parameters, std::string_view name) {
  const auto found = std::find(parameters.begin(), parameters.end(), name);
  return found == parameters.end() ? -1 : static_cast<int>(found - parameters.begin());
}

// Reads "(a, b, ...)" from `at`, which is the opening parenthesis; returns the index after the
// closing one.
size_t ReadParameters(const std::vector<Token>& tokens, size_t at, size_t end, Macro* macro) {
  macro->function_like = true;
  for (++at; at < end && !tokens[at].Is(")"); ++at) {
    if (tokens[at].IsName()) macro->parameters.emplace_back(tokens[at].text);
    if (tokens[at].Is("...")) macro->parameters.emplace_back("__VA_ARGS__");
  }
  return at + 1;
}

// A definition longer than this is data or code, not a way to name something.
constexpr size_t kLongestBody = 200;

void ReadBody(const std::vector<Token>& tokens, size_t first, size_t end, Macro* macro) {
  for (size_t at = first; at < end; ++at) {
    const Token& token = tokens[at];
    if (end - first <= kLongestBody) macro->body.push_back({token.kind, std::string(token.text)});
    macro->glues |= token.Is("##");
    macro->has_string |= token.kind == TokenKind::kString;
    if (token.Is("#") && at + 1 < end)
      macro->stringizes |= IndexOf(macro->parameters, tokens[at + 1].text) >= 0;
    if (!token.IsName()) continue;
    if (token.text == "return") macro->returns = true;
    if (token.text == "goto" && at + 1 < end && !macro->jumps) {
      macro->jumps = true;
      macro->label_parameter = IndexOf(macro->parameters, tokens[at + 1].text);
      if (macro->label_parameter < 0) macro->label = std::string(tokens[at + 1].text);
    }
    if (IndexOf(macro->parameters, token.text) < 0) macro->names.emplace_back(token.text);
  }
  macro->has_string |= macro->stringizes;
}

}  // namespace

void MacroTable::Add(std::string_view file, const Lexed& lexed, const Directive& directive) {
  if (directive.first_token >= directive.last_token) return;
  const auto& tokens = lexed.tokens;
  const Token& name = tokens[directive.first_token];
  if (!name.IsName()) return;
  Macro macro;
  macro.name = std::string(name.text);
  size_t body = directive.first_token + 1;
  const bool parameters_follow =
      body < directive.last_token && tokens[body].Is("(") && tokens[body].begin == name.end;
  if (parameters_follow) body = ReadParameters(tokens, body, directive.last_token, &macro);
  ReadBody(tokens, body, directive.last_token, &macro);
  auto [slot, is_new] = macros_.try_emplace(macro.name, macro);
  Macro& kept = slot->second;
  if (is_new) first_files_.emplace(macro.name, file);
  if (is_new || macro == kept) return;
  own_[first_files_[macro.name]].try_emplace(macro.name, kept);
  own_[std::string(file)].insert_or_assign(macro.name, macro);
  // Of several definitions the one that names more counts elsewhere.
  if (macro.names.size() > kept.names.size()) std::swap(kept, macro);
}

void MacroTable::AddAll(std::string_view file, const Lexed& lexed) {
  for (const Directive& directive : lexed.directives) {
    if (directive.name == "define") Add(file, lexed, directive);
  }
}

void MacroTable::Close() {
  // From what a macro does to all who use it, each edge once: chains of macros may be long.
  std::vector<Macro*> all;
  std::unordered_map<const Macro*, std::vector<Macro*>> users;
  const auto collect = [&](Macros* macros, const MacroScope& scope) {
    for (auto& [name, macro] : *macros) {
      all.push_back(&macro);
      for (const std::string& used : macro.names) {
        if (const Macro* inner = scope.Find(used)) users[inner].push_back(&macro);
      }
    }
  };
  collect(&macros_, MacroScope(macros_, nullptr));
  for (auto& [file, macros] : own_) collect(&macros, MacroScope(macros_, &macros));
  for (bool Macro::*trait : {&Macro::returns, &Macro::glues, &Macro::has_string}) {
    std::vector<const Macro*> open;
    std::copy_if(all.begin(), all.end(), std::back_inserter(open),
                 [&](const Macro* macro) { return macro->*trait; });
    while (!open.empty()) {
      const Macro* inner = open.back();
      open.pop_back();
      for (Macro* user : users[inner]) {
        if (!std::exchange(user->*trait, true)) open.push_back(user);
      }
    }
  }
}

MacroScope MacroTable::In(std::string_view file) const {
  const auto own = own_.find(file);
  return {macros_, own == own_.end() ? nullptr : &own->second};
}

const Macro* MacroScope::Find(std::string_view name) const {
  for (const Macros* macros : {own_, all_}) {
    if (!macros) continue;
    if (const auto found = macros->find(name); found != macros->end()) return &found->second;
  }
  return nullptr;
}

}  // namespace culprit::inventory
