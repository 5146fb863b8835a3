// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/call_graph.h"

#include <algorithm>
#include <string>

#include "inventory/driver/entries.h"
#include "inventory/scan/hash.h"

namespace culprit::inventory {
namespace {

std::string_view Unqualified(std::string_view name) {
  const size_t qualifier = name.rfind("::");
  return qualifier == std::string_view::npos ? name : name.substr(qualifier + 2);
}

}  // namespace

uint64_t CallGraph::GlobalKey(std::string_view name) { return HashOf(name); }

uint64_t CallGraph::LocalKey(std::string_view file, std::string_view name) {
  return HashOf(name, HashOf(file) | 1);
}

void CallGraph::Add(std::string_view file, const Lexed& lexed, const Outline& outline) {
  for (const FunctionSpan& span : outline.functions) {
    const std::string_view name = Unqualified(span.name);
    Function& function = functions_[span.is_static ? LocalKey(file, name) : GlobalKey(name)];
    function.returns_void |= span.returns_void;
    for (uint32_t i = span.first_token; i + 1 < span.last_token; ++i) {
      const Token& token = lexed.tokens[i];
      if (!token.IsName() || !lexed.tokens[i + 1].Is("(")) continue;
      if (token.text.starts_with("cu") && FindEntry(token.text)) {
        function.reaches_driver = true;
      } else {
        function.calls.push_back(LocalKey(file, token.text));
        function.calls.push_back(GlobalKey(token.text));
      }
    }
    std::sort(function.calls.begin(), function.calls.end());
    function.calls.erase(std::unique(function.calls.begin(), function.calls.end()),
                         function.calls.end());
  }
}

void CallGraph::Close() {
  std::unordered_map<uint64_t, std::vector<uint64_t>> callers;
  std::vector<uint64_t> reaching;
  for (auto& [key, function] : functions_) {
    for (const uint64_t callee : function.calls) {
      if (functions_.contains(callee)) callers[callee].push_back(key);
    }
    function.calls = {};
    if (function.reaches_driver) reaching.push_back(key);
  }
  while (!reaching.empty()) {
    const uint64_t key = reaching.back();
    reaching.pop_back();
    for (const uint64_t caller : callers[key]) {
      Function& function = functions_[caller];
      if (function.reaches_driver) continue;
      function.reaches_driver = true;
      reaching.push_back(caller);
    }
  }
}

const CallGraph::Function* CallGraph::Find(std::string_view file, std::string_view name) const {
  auto found = functions_.find(LocalKey(file, name));
  if (found == functions_.end()) found = functions_.find(GlobalKey(name));
  return found == functions_.end() ? nullptr : &found->second;
}

bool CallGraph::ReachesDriver(std::string_view file, std::string_view name) const {
  const Function* function = Find(file, name);
  return function && function->reaches_driver;
}

bool CallGraph::ReturnsVoid(std::string_view file, std::string_view name) const {
  const Function* function = Find(file, name);
  return function && function->returns_void;
}

}  // namespace culprit::inventory
