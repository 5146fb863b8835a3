// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stress/run/trial.h"

namespace culprit::stress {

// Runs a probe's cycles in this process, without readings, and gives the context back at the end:
// for looking at a cycle through another tool, a leak checker or a profiler. `plan.leak` only says
// whether to leak; the pair is the probe's own.
Outcome RunBare(const ProbeInfo& probe, const TrialPlan& plan);

}  // namespace culprit::stress
