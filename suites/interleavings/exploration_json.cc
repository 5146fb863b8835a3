// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "suites/interleavings/exploration.h"

namespace culprit::interleavings {
namespace {

constexpr std::array<std::pair<const char*, StrategyKind>, 4> kStrategies = {
    {{"dfs", StrategyKind::kDepthFirst},
     {"pct", StrategyKind::kProbabilistic},
     {"random", StrategyKind::kRandom},
     {"fixed", StrategyKind::kFixed}}};

}  // namespace

std::optional<StrategyKind> StrategyKindOf(const std::string& name) {
  for (const auto& [known, kind] : kStrategies) {
    if (name == known) return kind;
  }
  return std::nullopt;
}

nlohmann::json ToJson(const Explored& explored) {
  nlohmann::json json = {{"runs", explored.runs},           {"exhausted", explored.exhausted},
                         {"faults", explored.faults},       {"points", explored.points},
                         {"decisions", explored.decisions}, {"threads", explored.threads}};
  if (explored.failed) {
    json["failed"] = suites::ToJson(*explored.failed);
    json["schedule"] = explored.schedule;
  }
  return json;
}

Explored ExploredFromJson(const nlohmann::json& json) {
  Explored explored;
  json.at("runs").get_to(explored.runs);
  json.at("exhausted").get_to(explored.exhausted);
  json.at("faults").get_to(explored.faults);
  json.at("points").get_to(explored.points);
  json.at("decisions").get_to(explored.decisions);
  json.at("threads").get_to(explored.threads);
  if (const auto failed = json.find("failed"); failed != json.end()) {
    explored.failed = suites::CaseResultFromJson(*failed);
    json.at("schedule").get_to(explored.schedule);
  }
  return explored;
}

}  // namespace culprit::interleavings
