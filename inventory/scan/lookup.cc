// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/lookup.h"

#include <algorithm>
#include <vector>

namespace culprit::inventory {

bool IsLookupFunction(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "dlsym",    "dlvsym",           "GetProcAddress", "cuGetProcAddress", "cuGetProcAddress_v2",
      "lt_dlsym", "SDL_LoadFunction", "g_module_symbol"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
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
  const std::vector<Token>& tokens = lexed.tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].IsName() || !IsLookupFunction(tokens[i].text) || !tokens[i + 1].Is("("))
      continue;
    const FunctionSpan* function = outline.At(tokens[i].begin);
    if (!function) continue;
    bool by_literal = false;
    for (size_t j = i + 2; j < function->last_token && !by_literal && !tokens[j].Is(";"); ++j)
      by_literal = tokens[j].kind == TokenKind::kString;
    if (by_literal) continue;
    const size_t qualifier = function->name.rfind("::");
    functions.insert(qualifier == std::string::npos ? function->name
                                                    : function->name.substr(qualifier + 2));
  }
  return functions;
}

}  // namespace culprit::inventory
