// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/fault_space.h"

namespace culprit::suites {
namespace {

nlohmann::json ToJson(const std::vector<LeftOut>& list) {
  nlohmann::json json = nlohmann::json::array();
  for (const LeftOut& left : list) {
    json.push_back({{"what", left.what}, {"reason", left.reason}, {"count", left.count}});
  }
  return json;
}

std::vector<LeftOut> LeftOutFromJson(const nlohmann::json& json) {
  std::vector<LeftOut> list;
  for (const nlohmann::json& left : json) {
    list.push_back({left.at("what"), left.at("reason"), left.at("count")});
  }
  return list;
}

}  // namespace

nlohmann::json ToJson(const FaultSpace& space) {
  nlohmann::json json = {{"calls", space.calls},
                         {"sites", space.sites},
                         {"singles", space.singles},
                         {"singles_left_out", ToJson(space.singles_left_out)}};
  if (space.pairs_wanted) {
    json["pairs"] = {{"runs", space.pairs},
                     {"classes", space.classes},
                     {"first_faults", space.first_faults},
                     {"left_out", ToJson(space.pairs_left_out)}};
  }
  return json;
}

FaultSpace FaultSpaceFromJson(const nlohmann::json& json) {
  FaultSpace space;
  json.at("calls").get_to(space.calls);
  json.at("sites").get_to(space.sites);
  json.at("singles").get_to(space.singles);
  space.singles_left_out = LeftOutFromJson(json.at("singles_left_out"));
  if (const auto pairs = json.find("pairs"); pairs != json.end()) {
    space.pairs_wanted = true;
    pairs->at("runs").get_to(space.pairs);
    pairs->at("classes").get_to(space.classes);
    pairs->at("first_faults").get_to(space.first_faults);
    space.pairs_left_out = LeftOutFromJson(pairs->at("left_out"));
  }
  return space;
}

}  // namespace culprit::suites
