// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_ORDERING_H_
#define CULPRIT_INVENTORY_RULES_ORDERING_H_

#include "inventory/rules/facts.h"
#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// order-broken: on some path of a function that [[order]] names, `after` comes without `before`.
void CheckOrder(const FileView& view, FindingSink* sink, FileFacts* facts);

// order-broken, too: no file has the function that [[order]] names.
void CheckOrdersMatched(const Contract& contract, const std::vector<FileFacts>& files,
                        std::vector<Finding>* findings);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_ORDERING_H_
