// SPDX-License-Identifier: Apache-2.0
// Trees and contracts for tests, from text.
#ifndef CULPRIT_INVENTORY_TESTING_SOURCE_TREE_H_
#define CULPRIT_INVENTORY_TESTING_SOURCE_TREE_H_

#include <string>
#include <utility>
#include <vector>

#include "inventory/check.h"
#include "inventory/contract/contract_reader.h"

namespace culprit::inventory {

inline Tree TreeOf(const std::vector<std::pair<std::string, std::string>>& files) {
  Tree tree;
  for (const auto& [path, text] : files)
    tree.sources.emplace_back(path, text, *LanguageOf(path, text));
  return tree;
}

inline Contract ContractOf(const std::string& rest) {
  return ParseContract("version = 1\n" + rest, "inventory.toml");
}

// "a.c:3 raw-teardown" for each new finding.
inline std::vector<std::string> NewFindings(const Report& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings) {
    if (finding.standing != Standing::kNew) continue;
    lines.push_back(finding.where.path + ":" + std::to_string(finding.where.begin.line) + " " +
                    std::string(InfoOf(finding.rule).name));
  }
  return lines;
}

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_TESTING_SOURCE_TREE_H_
