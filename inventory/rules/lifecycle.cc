// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/lifecycle.h"

#include <algorithm>
#include <map>

#include "inventory/scan/glob.h"
#include "inventory/syntax/flow_graph.h"

namespace culprit::inventory {
namespace {

bool IsNull(const Token& token) {
  return token.text == "NULL" || token.text == "nullptr" || token.text == "0";
}

// Reads `{ .name = value, ... }` from its opening brace.
void ReadMembers(const std::vector<Token>& tokens, size_t open, CallbackTable* table) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].Is("{") || tokens[i].Is("(")) ++depth;
    if ((tokens[i].Is("}") || tokens[i].Is(")")) && --depth == 0) return;
    const bool member = depth == 1 && tokens[i].Is(".") && i + 3 < tokens.size() &&
                        tokens[i + 1].IsName() && tokens[i + 2].Is("=");
    if (!member) continue;
    const size_t value = tokens[i + 3].Is("&") && i + 4 < tokens.size() ? i + 4 : i + 3;
    const bool names_function = tokens[value].IsName() && !IsNull(tokens[value]);
    table->members.push_back({std::string(tokens[i + 1].text),
                              names_function ? std::string(tokens[value].text) : "",
                              tokens[i + 1].begin, tokens[value].end});
  }
}

}  // namespace

const CallbackTable::Member* CallbackTable::Find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &*found;
}

std::vector<CallbackTable> FindCallbackTables(const Lexed& lexed, std::string_view type) {
  std::vector<CallbackTable> tables;
  const auto& tokens = lexed.tokens;
  for (size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (tokens[i].text != type || !tokens[i].IsName() || !tokens[i + 1].IsName()) continue;
    const bool initialised = tokens[i + 2].Is("=") && tokens[i + 3].Is("{");
    if (!initialised && !tokens[i + 2].Is("{")) continue;
    CallbackTable table{
        std::string(tokens[i + 1].text), tokens[i + 1].begin, tokens[i + 1].end, {}};
    ReadMembers(tokens, initialised ? i + 3 : i + 2, &table);
    if (!table.members.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

Lifecycle::Lifecycle(const Contract& contract, const Lexed& lexed, const Outline& outline)
    : contract_(contract) {
  if (contract.callbacks) {
    for (const CallbackTable& table : FindCallbackTables(lexed, contract.callbacks->type)) {
      if (const auto* close = table.Find("close"); close && !close->function.empty())
        callbacks_.insert(close->function);
    }
  }
  std::multimap<std::string_view, const FunctionSpan*> by_name;
  for (const FunctionSpan& function : outline.functions)
    by_name.emplace(LastComponent(function.name), &function);
  std::vector<const FunctionSpan*> pending;
  for (const FunctionSpan& function : outline.functions) {
    if (IsCloseRoot(function.name)) pending.push_back(&function);
  }
  has_close_ = !pending.empty();
  while (!pending.empty()) {
    const FunctionSpan* function = pending.back();
    pending.pop_back();
    if (!closing_.insert(function->name).second) continue;
    for (uint32_t i = function->first_token; i < function->last_token; ++i) {
      if (!lexed.tokens[i].IsName()) continue;
      const auto [first, last] = by_name.equal_range(lexed.tokens[i].text);
      for (auto called = first; called != last; ++called) pending.push_back(called->second);
    }
  }
}

bool Lifecycle::IsCloseRoot(std::string_view function) const {
  const std::string_view name = LastComponent(function);
  if (name.starts_with('~') || callbacks_.contains(name)) return true;
  return std::any_of(contract_.close_functions.begin(), contract_.close_functions.end(),
                     [&](const std::string& pattern) {
                       return GlobMatches(pattern, name) || GlobMatches(pattern, function);
                     });
}

}  // namespace culprit::inventory
