// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "stress/report/report.h"

namespace culprit::stress {

// What one forgotten object keeps, per kind and resource, as the controls of a run measured it: the
// recorded knowledge that a model of the driver, or a later run, is compared with. JSON, ending in
// a newline. Probes without a finished control are left out.
std::string ObjectCosts(const Report& report);

// Compares the controls of a run with costs recorded earlier: device memory always, the heap when
// both ran on the same version of the driver, and nothing that a machine's load can move. One line
// for each resource whose cost is off by more than `part`; empty when all that was run agrees. A
// malformed file gives one line that says where.
std::string CompareObjectCosts(const Report& report, const std::string& recorded_json,
                               const std::string& file, double part);

}  // namespace culprit::stress
