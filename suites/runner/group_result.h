// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_GROUP_RESULT_H_
#define SUITES_RUNNER_GROUP_RESULT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/runner/case_result.h"
#include "suites/runner/settings.h"

namespace culprit::suites {

// Something a suite asks for and that was not run, with the reason.
struct Skip {
  std::string suite;
  std::string what;  // "" for the suite as a whole, else the part that is left out
  std::string reason;
};

// One scenario under one setting, done.
struct GroupResult {
  std::string suite;
  uint32_t suite_version = 1;
  std::string scenario;
  Settings settings;
  uint64_t planned = 0;           // cases, of which a shard runs some
  std::vector<CaseResult> cases;  // by index
  uint64_t unreached = 0;         // optional faults that never fired
  std::string abandoned;          // why the group was not run to its end; empty: it was

  uint64_t failed() const;
  uint64_t driver_calls() const;
  uint64_t faults_fired() const;
};

nlohmann::json ToJson(const GroupResult& group);
// Throws nlohmann::json::exception or std::invalid_argument.
GroupResult GroupResultFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_GROUP_RESULT_H_
