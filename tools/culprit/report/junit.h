// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_JUNIT_H_
#define TOOLS_CULPRIT_REPORT_JUNIT_H_

#include <string>

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// JUnit XML as CI systems read it: a test suite for each suite and profile; a test case for each
// group, with the failing cases in its failure text.
std::string JUnitOf(const Report& report);

// Text made safe for XML and HTML: markup escaped, control characters replaced.
std::string EscapeMarkup(const std::string& text);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_JUNIT_H_
