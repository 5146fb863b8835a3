// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "inventory/rules/lifecycle.h"

namespace culprit::inventory {
namespace {

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

}  // namespace

void CheckForbiddenNames(const FileView& view, FindingSink* sink) {
  if (view.contract.forbidden.empty()) return;
  for (const Token& token : view.lexed.tokens) {
    if (!token.IsName()) continue;
    for (const Forbidden& forbidden : view.contract.forbidden) {
      if (forbidden.name != token.text) continue;
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
    const std::string_view name = tokens[i + 1].text, value = tokens[i + 3].text;
    const bool is_null = value == "NULL" || value == "nullptr" || value == "0";
    const bool required = std::find(callbacks.required.begin(), callbacks.required.end(), name) !=
                          callbacks.required.end();
    if (!is_null || !required) continue;
    sink->Add(
        RuleId::kCallbackLost, tokens[i + 1].begin, tokens[i + 3].end,
        FunctionAt(view, tokens[i].begin),
        fmt::format("the {} callback is set to null, so what it would do is never done", name));
  }
}

}  // namespace culprit::inventory
