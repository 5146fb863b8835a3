// SPDX-License-Identifier: Apache-2.0
// Reports for programs other than SARIF readers.
#ifndef CULPRIT_INVENTORY_REPORT_MACHINE_H_
#define CULPRIT_INVENTORY_REPORT_MACHINE_H_

#include <nlohmann/json_fwd.hpp>
#include <ostream>

#include "inventory/check.h"
#include "inventory/contract/contract.h"

namespace culprit::inventory {

// Findings, the owners found, and creations and releases per file and kind of object.
// docs/inventory/reports.md describes it.
nlohmann::json ToJson(const Report& report, const Contract& contract);

// One test case a finding, and one that passes for each rule without new findings.
void WriteJunit(const Report& report, std::ostream& out);

// Workflow commands that GitHub shows as annotations: new findings only.
void WriteGithub(const Report& report, std::ostream& out);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_MACHINE_H_
