// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_REPORT_BALANCE_H_
#define CULPRIT_INVENTORY_REPORT_BALANCE_H_

#include <string>
#include <vector>

#include "inventory/rules/facts.h"

namespace culprit::inventory {

// How often a file creates and releases one kind of object. A release by a helper counts for the
// kind whose field it is given.
struct BalanceRow {
  std::string file, object;
  size_t created = 0, released = 0;
};

std::vector<BalanceRow> BalanceOf(const std::vector<FileFacts>& files);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_BALANCE_H_
