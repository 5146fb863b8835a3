// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_MINIMIZE_H_
#define TOOLS_CULPRIT_MINIMIZE_H_

#include <cstddef>

#include "suites/runner/request.h"
#include "tools/culprit/installation.h"
#include "tools/culprit/report/report.h"

namespace culprit::tools {

// Looks for the smallest case of each kind of failure, at most `most` of them, by running smaller
// ones, and keeps them in the report. `request` is the one that the report came from. A failure
// that does not come again alone has no smaller case.
void MinimizeFailures(const Installation& installation, const suites::HostRequest& request,
                      size_t most, Report* report);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_MINIMIZE_H_
