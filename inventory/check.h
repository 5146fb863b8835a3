// SPDX-License-Identifier: Apache-2.0
// The checker as a function: a folder and a contract in, a report out. The command line is one
// caller, tests are another.
//
// Stages: every file is scanned for what all files need to know (macros, lookup functions); then
// each file is checked by itself; then the facts of all files are held against the contract.
#ifndef CULPRIT_INVENTORY_CHECK_H_
#define CULPRIT_INVENTORY_CHECK_H_

#include <filesystem>
#include <string>
#include <vector>

#include "inventory/contract/contract.h"
#include "inventory/report/finding.h"

namespace culprit::inventory {

struct Statistics {
  size_t files = 0;
  size_t lines = 0;
};

struct Report {
  std::vector<Finding> findings;
  Statistics statistics;
};

// Throws InputError when `root` cannot be read.
Report CheckTree(const std::filesystem::path& root, const Contract& contract);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_CHECK_H_
