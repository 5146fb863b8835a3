// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "stress/report/report.h"

namespace culprit::stress {

// The report as one HTML page that needs nothing else: a table of verdicts, then for each probe and
// resource the series of both loops with the fitted line, what was cut off as warm-up shaded.
std::string ToPage(const Report& report);

}  // namespace culprit::stress
