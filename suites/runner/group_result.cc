// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/group_result.h"

namespace culprit::suites {

nlohmann::json ToJson(const GroupResult& group) {
  nlohmann::json json = {{"number", group.number},
                         {"suite", group.suite},
                         {"suite_version", group.suite_version},
                         {"scenario", group.scenario},
                         {"settings", ToJson(group.settings)},
                         {"planned", group.planned},
                         {"abandoned", group.abandoned}};
  if (group.space) json["fault_space"] = ToJson(*group.space);
  return json;
}

GroupResult GroupResultFromJson(const nlohmann::json& json) {
  GroupResult group;
  json.at("number").get_to(group.number);
  json.at("suite").get_to(group.suite);
  json.at("suite_version").get_to(group.suite_version);
  json.at("scenario").get_to(group.scenario);
  group.settings = SettingsFromJson(json.at("settings"));
  json.at("planned").get_to(group.planned);
  json.at("abandoned").get_to(group.abandoned);
  if (const auto space = json.find("fault_space"); space != json.end()) {
    group.space = FaultSpaceFromJson(*space);
  }
  return group;
}

}  // namespace culprit::suites
