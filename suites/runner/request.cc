// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/request.h"

namespace culprit::suites {

nlohmann::json ToJson(const HostRequest& request) {
  nlohmann::json json = {{"port", request.port},
                         {"suites", request.suites},
                         {"profiles", request.selection.profiles},
                         {"policies", request.selection.policies},
                         {"seed", request.selection.seed},
                         {"real", request.selection.real},
                         {"shard", {request.shard.index, request.shard.count}},
                         {"jobs", request.jobs},
                         {"clips", request.clips},
                         {"golden", request.golden},
                         {"stop_at", request.stop_at},
                         {"all_singles", request.all_singles},
                         {"pairs", request.pairs},
                         {"reuse_launches", request.reuse_launches},
                         {"minimize", request.minimize}};
  json["only"] = nlohmann::json::array();
  for (const Rerun& rerun : request.only) json["only"].push_back({rerun.group, rerun.cases});
  json["never_supported"] = nlohmann::json::array();
  for (const Waiver& waiver : request.never_supported) {
    json["never_supported"].push_back(ToJson(waiver));
  }
  if (request.replay) {
    nlohmann::json faults = nlohmann::json::array();
    for (const Fault& fault : request.replay->faults) faults.push_back(ToJson(fault));
    json["replay"] = {{"scenario", request.replay->scenario},
                      {"settings", ToJson(request.replay->settings)},
                      {"faults", std::move(faults)},
                      {"index", request.replay->index},
                      {"frames", request.replay->frames}};
  }
  return json;
}

HostRequest HostRequestFromJson(const nlohmann::json& json) {
  HostRequest request;
  json.at("port").get_to(request.port);
  json.at("suites").get_to(request.suites);
  json.at("profiles").get_to(request.selection.profiles);
  json.at("policies").get_to(request.selection.policies);
  json.at("seed").get_to(request.selection.seed);
  json.at("real").get_to(request.selection.real);
  json.at("shard").at(0).get_to(request.shard.index);
  json.at("shard").at(1).get_to(request.shard.count);
  json.at("jobs").get_to(request.jobs);
  json.at("clips").get_to(request.clips);
  json.at("golden").get_to(request.golden);
  json.at("stop_at").get_to(request.stop_at);
  json.at("all_singles").get_to(request.all_singles);
  json.at("pairs").get_to(request.pairs);
  json.at("reuse_launches").get_to(request.reuse_launches);
  json.at("minimize").get_to(request.minimize);
  for (const nlohmann::json& rerun : json.at("only")) {
    request.only.push_back({rerun.at(0), rerun.at(1)});
  }
  for (const nlohmann::json& waiver : json.at("never_supported")) {
    request.never_supported.push_back(WaiverFromJson(waiver));
  }
  if (const auto replay = json.find("replay"); replay != json.end()) {
    request.replay.emplace();
    replay->at("scenario").get_to(request.replay->scenario);
    request.replay->settings = SettingsFromJson(replay->at("settings"));
    replay->at("index").get_to(request.replay->index);
    replay->at("frames").get_to(request.replay->frames);
    for (const nlohmann::json& fault : replay->at("faults")) {
      request.replay->faults.push_back(FaultFromJson(fault));
    }
  }
  return request;
}

}  // namespace culprit::suites
