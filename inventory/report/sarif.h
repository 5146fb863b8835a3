// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_REPORT_SARIF_H_
#define CULPRIT_INVENTORY_REPORT_SARIF_H_

#include <nlohmann/json_fwd.hpp>

#include "inventory/check.h"

namespace culprit::inventory {

// The report as SARIF 2.1.0. Suppressed and baselined findings are in it, marked as such: code
// scanning would close and re-open an alert that came and went.
nlohmann::json ToSarif(const Report& report);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_SARIF_H_
