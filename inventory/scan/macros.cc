// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/macros.h"

#include <algorithm>
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

void ReadPaste(const std::vector<Token>& tokens, size_t at, size_t first, size_t end,
               Macro* macro) {
  if (at == first || at + 1 >= end || !tokens[at - 1].IsName() || !tokens[at + 1].IsName()) return;
  const int left = IndexOf(macro->parameters, tokens[at - 1].text);
  const int right = IndexOf(macro->parameters, tokens[at + 1].text);
  const std::string suffix_after_right =
      right >= 0 && at + 3 < end && tokens[at + 2].Is("##") && tokens[at + 3].IsName()
          ? std::string(tokens[at + 3].text)
          : "";
  if (right >= 0) {
    macro->pastes.push_back(
        {right, left >= 0 ? "" : std::string(tokens[at - 1].text), suffix_after_right});
  } else if (left >= 0) {
    macro->pastes.push_back({left, "", std::string(tokens[at + 1].text)});
  }
}

void ReadBody(const std::vector<Token>& tokens, size_t first, size_t end, Macro* macro) {
  for (size_t at = first; at < end; ++at) {
    const Token& token = tokens[at];
    if (token.Is("##")) ReadPaste(tokens, at, first, end, macro);
    if (token.Is("#") && at + 1 < end) {
      if (const int index = IndexOf(macro->parameters, tokens[at + 1].text); index >= 0)
        macro->stringized.push_back(index);
    }
    if (!token.IsName()) continue;
    if (token.text == "return") macro->returns = true;
    if (token.text == "goto" && at + 1 < end && !macro->jumps) {
      macro->jumps = true;
      macro->label_parameter = IndexOf(macro->parameters, tokens[at + 1].text);
      if (macro->label_parameter < 0) macro->label = std::string(tokens[at + 1].text);
    }
    if (IndexOf(macro->parameters, token.text) < 0) macro->names.emplace_back(token.text);
  }
}

}  // namespace

void MacroTable::Add(const Lexed& lexed, const Directive& directive) {
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
  // Of several definitions the one that does more counts: a build may choose any of them.
  auto [slot, is_new] = macros_.try_emplace(macro.name, macro);
  if (!is_new && macro.names.size() > slot->second.names.size()) slot->second = std::move(macro);
}

void MacroTable::AddAll(const Lexed& lexed) {
  for (const Directive& directive : lexed.directives) {
    if (directive.name == "define") Add(lexed, directive);
  }
}

void MacroTable::Close() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [name, macro] : macros_) {
      for (const std::string& used : macro.names) {
        const Macro* inner = Find(used);
        if (!inner || !inner->returns || macro.returns) continue;
        macro.returns = changed = true;
      }
    }
  }
}

const Macro* MacroTable::Find(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

}  // namespace culprit::inventory
