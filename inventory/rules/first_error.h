// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_FIRST_ERROR_H_
#define CULPRIT_INVENTORY_RULES_FIRST_ERROR_H_

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// first-error-lost: on some path a variable that holds an error, or a result that nobody has looked
// at, receives another result.
void CheckFirstError(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_FIRST_ERROR_H_
