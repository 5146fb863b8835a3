// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_NAMES_H_
#define CULPRIT_INVENTORY_RULES_NAMES_H_

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// forbidden-name: a name that the contract forbids, anywhere in code.
void CheckForbiddenNames(const FileView& view, FindingSink* sink);

// callback-lost: a callback table without a required member, or an assignment that sets one to
// null.
void CheckCallbacks(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_NAMES_H_
