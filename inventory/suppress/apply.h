// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_SUPPRESS_APPLY_H_
#define CULPRIT_INVENTORY_SUPPRESS_APPLY_H_

#include <string>
#include <vector>

#include "inventory/contract/contract.h"
#include "inventory/report/finding.h"
#include "inventory/rules/facts.h"
#include "inventory/suppress/baseline.h"

namespace culprit::inventory {

// Marks findings as suppressed or baselined and adds an unused-suppression finding for whatever did
// not do its work: one that matches nothing, gives no reason, names no rule, or has expired before
// `today` (ISO). Findings need their fingerprints.
void ApplySuppressions(const Contract& contract, const std::vector<FileFacts>& files,
                       const Baseline& baseline, const std::string& today,
                       std::vector<Finding>* findings);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SUPPRESS_APPLY_H_
