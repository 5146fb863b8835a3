// SPDX-License-Identifier: Apache-2.0
//
// What the benchmark calls in the mock driver, by dlsym.
#ifndef SUITES_RUNNER_BENCHMARK_MOCK_DRIVER_H_
#define SUITES_RUNNER_BENCHMARK_MOCK_DRIVER_H_

#include <cstdint>

extern "C" {
// A new mock whose `nth` call of `entry` (as cuda.h calls it) fails with `result`.
void mock_begin(const char* entry, uint64_t nth, int result);
// Verifies and forgets it. 0: its expectations were met.
int mock_end();
}

#endif  // SUITES_RUNNER_BENCHMARK_MOCK_DRIVER_H_
