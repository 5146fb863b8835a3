// SPDX-License-Identifier: Apache-2.0
#include "inventory/contract/contract.h"

#include <algorithm>

#include "inventory/scan/glob.h"

namespace culprit::inventory {

bool NamesFunction(std::string_view declared, std::string_view name) {
  if (declared == name) return true;
  const bool is_suffix = name.size() > declared.size() + 2 && name.ends_with(declared);
  return is_suffix && name.substr(name.size() - declared.size() - 2, 2) == "::";
}

const Helper* PermittingHelper(const Contract& contract, std::string_view file,
                               std::string_view function, std::string_view lookup,
                               std::string_view symbol) {
  for (const Helper& helper : contract.helpers) {
    if (!NamesFunction(helper.name, function)) continue;
    if (!helper.file.empty() && !GlobMatches(helper.file, file)) continue;
    const auto permits = [&](const std::string& entry) {
      return entry == lookup || entry == symbol;
    };
    if (helper.releases.empty() ||
        std::any_of(helper.releases.begin(), helper.releases.end(), permits))
      return &helper;
  }
  return nullptr;
}

}  // namespace culprit::inventory
