// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_CLEARED_UNCHECKED_H_
#define CULPRIT_INVENTORY_RULES_CLEARED_UNCHECKED_H_

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// cleared-unchecked: on some path a handle is set to null after a release that failed, or whose
// result nobody looked at. The object may still live, and now nobody can release it.
void CheckClearedHandles(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_CLEARED_UNCHECKED_H_
