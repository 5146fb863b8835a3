// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_TALLY_H_
#define SUITES_RUNNER_TALLY_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "suites/runner/case_result.h"

namespace culprit::suites {

// A finding that fails nothing, and how often it was made.
struct Remark {
  Finding example;
  uint64_t count = 0;
};

// What the cases of a group add up to. It follows from the results alone, so that it can be
// computed again from what was kept of them.
struct Tally {
  uint64_t cases = 0;
  uint64_t failed = 0;
  uint64_t unreached = 0;  // optional faults that never fired
  uint64_t driver_calls = 0;
  uint64_t faults_fired = 0;
  uint64_t launches = 0;
  uint64_t launches_reused = 0;
  std::set<uint64_t> end_states;
  std::map<std::string, Remark> remarks;  // alike by id, severity, step and entry

  void Add(const CaseResult& result);
  void Add(const Tally& other);
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_TALLY_H_
