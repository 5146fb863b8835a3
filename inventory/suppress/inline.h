// SPDX-License-Identifier: Apache-2.0
// Suppressions in the sources:
//
//   release(m);  // culprit: allow(result-ignored): the process ends here
//   // culprit: allow(raw-teardown) until 2027-01-31: vendored sample, to be removed
//   cuModuleUnload(m);
//
// One applies to its own line, or, standing alone, to the next line that is no comment. It must
// give a reason.
#ifndef CULPRIT_INVENTORY_SUPPRESS_INLINE_H_
#define CULPRIT_INVENTORY_SUPPRESS_INLINE_H_

#include <vector>

#include "inventory/rules/facts.h"
#include "inventory/scan/lexer.h"

namespace culprit::inventory {

std::vector<Suppression> FindSuppressions(const SourceFile& file, const Lexed& lexed);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SUPPRESS_INLINE_H_
