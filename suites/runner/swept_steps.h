// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_SWEPT_STEPS_H_
#define SUITES_RUNNER_SWEPT_STEPS_H_

#include "suites/runner/suite.h"

namespace culprit::suites {

// Throws SuiteError when a sweep is limited to steps none of which its scenario has: it would plan
// no fault, and its scenario would pass without one.
void DemandSweptSteps(const Suite& suite);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SWEPT_STEPS_H_
