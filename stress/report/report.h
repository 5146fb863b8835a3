// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stress/report/result.h"

namespace culprit::stress {

// Everything a run has to say, in the order of its probes.
struct Report {
  std::string date;  // UTC, ISO 8601
  Machine machine;   // of the first probe that reached a device
  std::vector<ProbeResult> results;
};

// Exit codes of the command. When several apply, the first in this order of gravity wins: failed,
// leak, unsure. 77 only when nothing ran.
enum ExitCode : int {
  kExitFlat = 0,
  kExitLeak = 1,
  kExitUsage = 2,
  kExitUnsure = 3,
  kExitFailed = 4,
  kExitSkipped = 77,
};

ExitCode ExitCodeOf(std::span<const ProbeResult> results);

// One line a probe, for a terminal; with `details` one more for each resource.
std::string TableHeader();
std::string TableRow(const ProbeResult& result, bool details);

// The report as JSON, series and fits included, ending in a newline.
std::string ToJson(const Report& report);

}  // namespace culprit::stress
