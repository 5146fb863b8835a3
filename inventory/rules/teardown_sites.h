// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_TEARDOWN_SITES_H_
#define CULPRIT_INVENTORY_RULES_TEARDOWN_SITES_H_

#include "inventory/rules/facts.h"
#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// Where the file calls destroying entries, permitted or not, so that runs can be held against it.
// A pointer that is stored or looked up calls nothing yet.
void CollectTeardownSites(const FileView& view, FileFacts* facts);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_TEARDOWN_SITES_H_
