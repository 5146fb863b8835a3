// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_SUITE_EXPANSION_H_
#define SUITES_RUNNER_SUITE_EXPANSION_H_

#include <string>
#include <vector>

#include "suites/runner/group_result.h"
#include "suites/runner/port_library.h"
#include "suites/runner/suite.h"

namespace culprit::suites {

// Which part of a suite is asked for; empty means all of it.
struct Selection {
  std::vector<std::string> profiles;
  std::vector<std::string> policies;
  uint64_t seed = 1;
  bool real = false;  // on a vendor's driver, to which profiles and policies do not apply
};

struct Expansion {
  std::vector<Settings> settings;  // in the order of the matrix
  std::vector<Skip> skips;
};

// The product of a matrix, the scenario's or else the suite's, less what the port cannot do and
// what the selection leaves out; each omission has a reason.
Expansion Expand(const Suite& suite, const Scenario& scenario, const PortLibrary& port,
                 const Selection& selection);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SUITE_EXPANSION_H_
