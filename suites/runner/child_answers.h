// SPDX-License-Identifier: Apache-2.0
//
// What a child tells the host beside results, as JSON on one line each.
#ifndef SUITES_RUNNER_CHILD_ANSWERS_H_
#define SUITES_RUNNER_CHILD_ANSWERS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "suites/runner/case_result.h"
#include "suites/runner/driver_calls.h"
#include "suites/runner/life_cycle.h"

namespace culprit::suites {

// Scores as bits: what is compared must not pass through decimal text.
nlohmann::json ScoresToJson(const std::vector<ScoreSeries>& scores);
std::vector<ScoreSeries> ScoresFromJson(const nlohmann::json& list);

nlohmann::json CallsToJson(const std::vector<CallMade>& calls);
std::vector<CallMade> CallsFromJson(const nlohmann::json& list);

// How a run went on after its first fault; the calls come with the first run of a child that went
// on in this way.
struct Sequel {
  uint64_t behaviour = 0;
  std::optional<std::vector<CallMade>> after;
};

nlohmann::json SequelToJson(const Sequel& sequel);
Sequel SequelFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CHILD_ANSWERS_H_
