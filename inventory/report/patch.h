// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_REPORT_PATCH_H_
#define CULPRIT_INVENTORY_REPORT_PATCH_H_

#include <string>
#include <string_view>
#include <vector>

#include "inventory/check.h"

namespace culprit::inventory {

// `text` with every fix applied; of fixes that overlap, the first.
std::string Fixed(std::string_view text, std::vector<Fix> fixes);

// What turns `before` into `after`, as a unified diff that `patch -p1` takes; empty when they are
// equal.
std::string UnifiedDiff(const std::string& path, std::string_view before, std::string_view after);

// The fixes of all new findings.
std::string PatchOf(const Report& report, const Tree& tree);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_PATCH_H_
