// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/group_result.h"

#include <algorithm>
#include <numeric>

namespace culprit::suites {

uint64_t GroupResult::failed() const {
  return static_cast<uint64_t>(std::count_if(
      cases.begin(), cases.end(), [](const CaseResult& result) { return !result.passed(); }));
}

uint64_t GroupResult::driver_calls() const {
  uint64_t calls = 0;
  for (const CaseResult& result : cases) calls += result.driver_calls;
  return calls;
}

uint64_t GroupResult::faults_fired() const {
  uint64_t fired = 0;
  for (const CaseResult& result : cases) fired += result.fired_total();
  return fired;
}

nlohmann::json ToJson(const GroupResult& group) {
  nlohmann::json json = {{"suite", group.suite},         {"suite_version", group.suite_version},
                         {"scenario", group.scenario},   {"settings", ToJson(group.settings)},
                         {"planned", group.planned},     {"unreached", group.unreached},
                         {"abandoned", group.abandoned}, {"cases", nlohmann::json::array()}};
  for (const CaseResult& result : group.cases) json["cases"].push_back(ToJson(result));
  return json;
}

GroupResult GroupResultFromJson(const nlohmann::json& json) {
  GroupResult group;
  json.at("suite").get_to(group.suite);
  json.at("suite_version").get_to(group.suite_version);
  json.at("scenario").get_to(group.scenario);
  group.settings = SettingsFromJson(json.at("settings"));
  json.at("planned").get_to(group.planned);
  json.at("unreached").get_to(group.unreached);
  json.at("abandoned").get_to(group.abandoned);
  for (const nlohmann::json& result : json.at("cases")) {
    group.cases.push_back(CaseResultFromJson(result));
  }
  return group;
}

}  // namespace culprit::suites
