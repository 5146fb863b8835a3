// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_HTML_H_
#define TOOLS_CULPRIT_REPORT_HTML_H_

#include <string>

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// One page that needs nothing else: verdict, identity, table, each kind of failure with its finding
// and the calls that led to it, and what was not run.
std::string HtmlOf(const Report& report);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_HTML_H_
