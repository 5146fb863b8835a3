// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_HANDLE_FACTS_H_
#define CULPRIT_INVENTORY_RULES_HANDLE_FACTS_H_

#include <string_view>

#include "inventory/rules/facts.h"
#include "inventory/rules/file_view.h"
#include "inventory/rules/lifecycle.h"

namespace culprit::inventory {

// Records where the file creates and releases handles, and which members of declared owner types it
// has.
void CollectHandleFacts(const FileView& view, const Lifecycle& lifecycle, FileFacts* facts);

// Whether a function is named like one that releases something: destroy_event, FreeAll,
// module_unload.
bool IsNamedLikeRelease(std::string_view name);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_HANDLE_FACTS_H_
