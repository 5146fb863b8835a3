// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "stress/report/report.h"

namespace culprit::stress {

// Reads a report that `ToJson` wrote and judges its series again, so that plots, costs and other
// thresholds need no second run. Probes that made no readings, and probes that `find` does not
// know, are left out. Results are appended to `report`; a probe that is there already is replaced,
// so that a later file supplements an earlier one. On a malformed file, false with the file, the
// probe and the rule in `error`.
bool ReadReport(const std::string& text, const std::string& file, const AssessOptions& options,
                const std::function<const ProbeInfo*(std::string_view name)>& find, Report* report,
                std::string* error);

}  // namespace culprit::stress
