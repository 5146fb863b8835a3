// SPDX-License-Identifier: Apache-2.0
//
// The outcome of one life cycle as it travels from a child to the host and from the host to the
// command.
#ifndef SUITES_RUNNER_CASE_RESULT_H_
#define SUITES_RUNNER_CASE_RESULT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/runner/fault.h"
#include "suites/runner/finding.h"

namespace culprit::suites {

struct CaseResult {
  uint32_t index = 0;  // 0: the scenario itself; from 1: the sweep's faults
  std::vector<Fault> faults;
  uint64_t driver_calls = 0;
  std::vector<uint64_t> fired;
  std::string live;  // what was alive at the end, as text
  std::vector<Finding> findings;
  bool only_after_others = false;  // failed in a batch and not when run alone
  // Identifies everything that the life cycle came to: what each call into the port reported, what
  // was left alive, scores and findings. 0: it came to no end.
  uint64_t end_state = 0;
  uint64_t launches = 0;         // kernel launches
  uint64_t launches_reused = 0;  // of them, not computed again

  bool passed() const;
  uint64_t fired_total() const;
  std::string Name() const;  // "without faults" or the faults' names
};

// Short form for a case that has nothing to say; findings only when there are any.
nlohmann::json ToJson(const CaseResult& result);
CaseResult CaseResultFromJson(const nlohmann::json& json);
std::vector<Finding> FindingsFromJson(const nlohmann::json& list);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CASE_RESULT_H_
