// SPDX-License-Identifier: Apache-2.0
// Findings and facts as JSON: the machine-readable report, and what the cache keeps.
#ifndef CULPRIT_INVENTORY_REPORT_FINDING_JSON_H_
#define CULPRIT_INVENTORY_REPORT_FINDING_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "inventory/report/finding.h"
#include "inventory/rules/facts.h"

namespace culprit::inventory {

void to_json(nlohmann::json& json, const Location& where);
void to_json(nlohmann::json& json, const Finding& finding);
void to_json(nlohmann::json& json, const FileFacts& facts);
void from_json(const nlohmann::json& json, Location& where);
void from_json(const nlohmann::json& json, Finding& finding);
void from_json(const nlohmann::json& json, FileFacts& facts);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_FINDING_JSON_H_
