// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "inventory/rules/lifecycle.h"
#include "inventory/scan/expansion.h"
#include "inventory/scan/glob.h"

namespace culprit::inventory {
namespace {

bool IsForbidden(const Forbidden& forbidden, const FileView& view, std::string_view name) {
  return forbidden.name == name &&
         (forbidden.file.empty() || GlobMatches(forbidden.file, view.file.path()));
}

std::string_view FunctionAt(const FileView& view, uint32_t offset) {
  const FunctionSpan* function = view.outline.At(offset);
  return function ? std::string_view(function->name) : std::string_view();
}

void CheckTables(const FileView& view, const Callbacks& callbacks, FindingSink* sink) {
  for (const CallbackTable& table : FindCallbackTables(view.lexed, callbacks.type)) {
    for (const std::string& required : callbacks.required) {
      const CallbackTable::Member* member = table.Find(required);
      if (member && !member->function.empty()) continue;
      sink->Add(
          RuleId::kCallbackLost, member ? member->begin : table.begin,
          member ? member->end : table.end, "",
          fmt::format("{} '{}' has no {} callback", callbacks.type, table.variable, required));
    }
  }
}

// FREE(now), where the macro makes memory_free_now of it.
void CheckGluedNames(const FileView& view, size_t index, FindingSink* sink) {
  const Token& token = view.lexed.tokens[index];
  const Macro* macro = token.in_directive ? nullptr : view.macros.Find(token.text);
  if (!macro || !macro->glues) return;
  const Expansion expansion = ExpandCall(view.macros, std::span(view.lexed.tokens).subspan(index));
  for (const std::string& name : expansion.glued) {
    for (const Forbidden& forbidden : view.contract.forbidden) {
      if (!IsForbidden(forbidden, view, name)) continue;
      sink->Add(RuleId::kForbiddenName, token.begin, token.end, FunctionAt(view, token.begin),
                fmt::format("{} comes to {}, which is forbidden: {}", token.text, name,
                            forbidden.reason));
    }
  }
}

// Whether the value that starts at `index` is a null pointer, cast or not.
bool IsNull(const std::vector<Token>& tokens, size_t index) {
  constexpr size_t kLongestCast = 40;
  size_t at = index;
  while (at + 1 < tokens.size() && at < index + kLongestCast &&
         (tokens[at].Is("(") || tokens[at].Is(")") || tokens[at].Is("*") ||
          (tokens[at].IsName() && tokens[at].text != "NULL" && tokens[at].text != "nullptr" &&
           at > index)))
    ++at;
  if (at > index && !tokens[at - 1].Is(")")) return false;  // (f)(0) is a call
  const std::string_view value = tokens[at].text;
  const bool is_null = value == "NULL" || value == "nullptr" || value == "0";
  const bool ends = at + 1 < tokens.size() &&
                    (tokens[at + 1].Is(";") || tokens[at + 1].Is(",") || tokens[at + 1].Is(")"));
  return is_null && ends;
}

}  // namespace

void CheckForbiddenNames(const FileView& view, FindingSink* sink) {
  if (view.contract.forbidden.empty()) return;
  const std::vector<Token>& tokens = view.lexed.tokens;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (!token.IsName()) continue;
    CheckGluedNames(view, i, sink);
    for (const Forbidden& forbidden : view.contract.forbidden) {
      if (!IsForbidden(forbidden, view, token.text)) continue;
      Finding* finding =
          sink->Add(RuleId::kForbiddenName, token.begin, token.end, FunctionAt(view, token.begin),
                    fmt::format("{} is forbidden: {}", forbidden.name, forbidden.reason));
      if (finding && !forbidden.replacement.empty()) {
        finding->fix = Fix{token.begin, token.end, forbidden.replacement,
                           fmt::format("use {}", forbidden.replacement)};
      }
    }
  }
}

void CheckCallbacks(const FileView& view, FindingSink* sink) {
  if (!view.contract.callbacks) return;
  const Callbacks& callbacks = *view.contract.callbacks;
  CheckTables(view, callbacks, sink);
  const auto& tokens = view.lexed.tokens;
  for (size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool member = (tokens[i].Is("->") || tokens[i].Is(".")) && tokens[i + 1].IsName() &&
                        tokens[i + 2].Is("=");
    if (!member || !view.outline.At(tokens[i].begin)) continue;
    const std::string_view name = tokens[i + 1].text;
    const bool required = std::find(callbacks.required.begin(), callbacks.required.end(), name) !=
                          callbacks.required.end();
    if (!required || !IsNull(tokens, i + 3)) continue;
    sink->Add(
        RuleId::kCallbackLost, tokens[i + 1].begin, tokens[i + 3].end,
        FunctionAt(view, tokens[i].begin),
        fmt::format("the {} callback is set to null, so what it would do is never done", name));
  }
}

}  // namespace culprit::inventory
