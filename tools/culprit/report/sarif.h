// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_SARIF_H_
#define TOOLS_CULPRIT_REPORT_SARIF_H_

#include <nlohmann/json.hpp>

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// SARIF 2.1.0: a result for each kind of finding (rule, entry, step), with a fingerprint that stays
// the same from run to run, and the source line where debug information names one.
nlohmann::ordered_json SarifOf(const Report& report);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_SARIF_H_
