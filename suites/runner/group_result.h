// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_GROUP_RESULT_H_
#define SUITES_RUNNER_GROUP_RESULT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/case_result.h"
#include "suites/runner/fault_space.h"
#include "suites/runner/settings.h"
#include "suites/runner/tally.h"

namespace culprit::suites {

// Something a suite asks for and that was not run, with the reason.
struct Skip {
  std::string suite;
  std::string what;  // "" for the suite as a whole, else the part that is left out
  std::string reason;
};

// Why a sweep was not run whose scenario fails by itself.
inline constexpr const char* kSweepNotRun =
    "the run without the sweep's faults failed, so the sweep was not run";

// One scenario under one setting, done. Its cases are too many to keep in memory: they travel one
// by one, and what stays here are their sum and those that failed.
struct GroupResult {
  uint32_t number = 0;  // in the order of the plan, from 0
  std::string suite;
  uint32_t suite_version = 1;
  std::string scenario;
  Settings settings;
  uint64_t planned = 0;             // cases, of which a shard runs some
  std::string abandoned;            // why the group was not run to its end; empty: it was
  std::optional<FaultSpace> space;  // of a sweep
  Tally tally;
  std::vector<CaseResult> failures;  // by index
};

// Without tally and failures, which follow from the cases.
nlohmann::json ToJson(const GroupResult& group);
// Throws nlohmann::json::exception or std::invalid_argument.
GroupResult GroupResultFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_GROUP_RESULT_H_
