// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_FILE_RESULT_H_
#define CULPRIT_INVENTORY_RULES_FILE_RESULT_H_

#include <vector>

#include "inventory/report/finding.h"
#include "inventory/rules/facts.h"

namespace culprit::inventory {

// What checking one file yields.
struct FileResult {
  std::vector<Finding> findings;
  FileFacts facts;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_FILE_RESULT_H_
