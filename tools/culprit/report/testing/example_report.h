// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPORT_TESTING_EXAMPLE_REPORT_H_
#define TOOLS_CULPRIT_REPORT_TESTING_EXAMPLE_REPORT_H_

#include "tools/culprit/report/report.h"

namespace culprit::tools {

// A port with two suites: one passes its whole fault space under r580, the other has a leak in one
// of three cases and a remark; something was skipped. Texts hold what markup must escape.
Report ExampleReport();
// The same without the failure.
Report CertifiedReport();
// The cases that the groups of ExampleReport sum up.
std::vector<std::pair<uint32_t, suites::CaseResult>> ExampleCases();

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_TESTING_EXAMPLE_REPORT_H_
