// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_DRAFT_H_
#define CULPRIT_INVENTORY_DRAFT_H_

#include "inventory/check.h"
#include "inventory/contract/contract_writer.h"

namespace culprit::inventory {

// What a contract for `tree` would say if everything that it does now were meant.
ContractDraft DraftFor(const Tree& tree);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_DRAFT_H_
