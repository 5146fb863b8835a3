// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_LOCAL_HANDLES_H_
#define CULPRIT_INVENTORY_RULES_LOCAL_HANDLES_H_

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// local-handle: a handle created into a local variable is neither destroyed nor handed on before
// some path ends.
void CheckLocalHandles(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_LOCAL_HANDLES_H_
