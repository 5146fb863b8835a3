// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_BENCHMARK_MOTION_LIFE_CYCLE_H_
#define SUITES_RUNNER_BENCHMARK_MOTION_LIFE_CYCLE_H_

#include "suites/culprit_port.h"

namespace culprit::suites {

// Loads a port by path, without any harness. Null: it cannot be loaded.
const culprit_port* LoadPort(const char* path);

// The life cycle that all alternatives are measured on: motion over four frames of 32 by 32
// samples, from state_init to state_free, its teardown always and repeated once. Returns how many
// calls into the port failed.
int RunMotionLifeCycle(const culprit_port& port);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_BENCHMARK_MOTION_LIFE_CYCLE_H_
