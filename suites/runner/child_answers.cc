// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/child_answers.h"

#include <bit>

namespace culprit::suites {

nlohmann::json ScoresToJson(const std::vector<ScoreSeries>& scores) {
  nlohmann::json list = nlohmann::json::array();
  for (const ScoreSeries& series : scores) {
    nlohmann::json values = nlohmann::json::array();
    for (const auto& value : series.values) {
      values.push_back(value ? nlohmann::json(std::bit_cast<uint64_t>(*value)) : nullptr);
    }
    list.push_back({series.key, std::move(values)});
  }
  return list;
}

std::vector<ScoreSeries> ScoresFromJson(const nlohmann::json& list) {
  std::vector<ScoreSeries> scores;
  for (const nlohmann::json& item : list) {
    ScoreSeries& series = scores.emplace_back();
    item.at(0).get_to(series.key);
    for (const nlohmann::json& value : item.at(1)) {
      series.values.push_back(value.is_null()
                                  ? std::nullopt
                                  : std::optional(std::bit_cast<double>(value.get<uint64_t>())));
    }
  }
  return scores;
}

nlohmann::json CallsToJson(const std::vector<CallMade>& calls) {
  nlohmann::json list = nlohmann::json::array();
  for (const CallMade& call : calls) {
    list.push_back({call.entry, call.nth, static_cast<int>(call.during), call.hit ? 1 : 0});
  }
  return list;
}

std::vector<CallMade> CallsFromJson(const nlohmann::json& list) {
  std::vector<CallMade> calls;
  for (const nlohmann::json& item : list) {
    calls.push_back({item.at(0), item.at(1), static_cast<StepKind>(item.at(2).get<int>()),
                     item.at(3).get<int>() != 0});
  }
  return calls;
}

nlohmann::json SequelToJson(const Sequel& sequel) {
  nlohmann::json json = {{"behaviour", sequel.behaviour}};
  if (sequel.after) json["after"] = CallsToJson(*sequel.after);
  return json;
}

Sequel SequelFromJson(const nlohmann::json& json) {
  Sequel sequel;
  json.at("behaviour").get_to(sequel.behaviour);
  if (const auto after = json.find("after"); after != json.end()) {
    sequel.after = CallsFromJson(*after);
  }
  return sequel;
}

}  // namespace culprit::suites
