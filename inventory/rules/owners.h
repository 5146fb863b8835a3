// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_OWNERS_H_
#define CULPRIT_INVENTORY_RULES_OWNERS_H_

#include <vector>

#include "inventory/contract/contract.h"
#include "inventory/report/finding.h"
#include "inventory/rules/facts.h"
#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// A handle that the sources own: a field that a file loads into, or a member of a declared owner
// type.
struct FoundOwner {
  std::string file, field;
  Location where;
  bool by_type = false;
};

std::vector<FoundOwner> FindOwners(const Contract& contract, const std::vector<FileFacts>& files);

// unknown-owner, vanished-owner, owner-not-closed: the declared set against the found one.
void CheckOwners(const Contract& contract, const std::vector<FileFacts>& files,
                 std::vector<Finding>* findings);

// unbalanced-create: a field, or a kind of object, that is created and that nothing in the tree
// destroys.
void CheckCreateBalance(const Contract& contract, const std::vector<FileFacts>& files,
                        std::vector<Finding>* findings);

// owner-not-unwound: a failing path of a function that loads an owner's handle ends with the handle
// loaded.
void CheckInitUnwind(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_OWNERS_H_
