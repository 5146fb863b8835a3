// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_CONTEXT_BALANCE_H_
#define CULPRIT_INVENTORY_RULES_CONTEXT_BALANCE_H_

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// context-imbalance: on some path a function pushes what it does not pop, or pops what it did not
// push.
void CheckContextBalance(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_CONTEXT_BALANCE_H_
