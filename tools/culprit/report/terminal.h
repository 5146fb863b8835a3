// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_TERMINAL_H_
#define TOOLS_CULPRIT_REPORT_TERMINAL_H_

#include <string>

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// The table of suites and profiles, then what was not run, each with its reason.
std::string TableOf(const Report& report);

// Up to `most` failures; findings alike are shown once, with the number of cases.
std::string FailuresText(const Report& report, size_t most);

// " as far as part 1/4 goes" of a shard's selection; nothing of a whole one.
std::string PartText(const nlohmann::json& selection);
// "certified", and of what; else the failures and why not.
std::string VerdictText(const Report& report);

// One finding in full: what, which call, which handle, created where, thread, context.
std::string FindingText(const suites::Finding& finding);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_TERMINAL_H_
