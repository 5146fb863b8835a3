// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_SITES_H_
#define TOOLS_CULPRIT_REPORT_SITES_H_

#include <nlohmann/json.hpp>

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// The places in the subject's sources that tear something down, with how often life cycles went
// through them (docs/sites.schema.json): what the source checker joins with what it found.
nlohmann::ordered_json SitesOf(const Report& report);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_SITES_H_
