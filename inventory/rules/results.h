// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_RULES_RESULTS_H_
#define CULPRIT_INVENTORY_RULES_RESULTS_H_

#include "inventory/rules/file_view.h"

namespace culprit::inventory {

// result-ignored: the result of a driver call or helper is dropped, cast away where it matters, or
// stored and never read.
void CheckIgnoredResults(const FileView& view, FindingSink* sink);

// results-combined: err |= close(...), which makes a number that no driver returned.
void CheckCombinedResults(const FileView& view, FindingSink* sink);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_RESULTS_H_
