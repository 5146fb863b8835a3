// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/case_result.h"

#include <algorithm>
#include <numeric>

namespace culprit::suites {

bool CaseResult::passed() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.IsError(); });
}

uint64_t CaseResult::fired_total() const {
  return std::accumulate(fired.begin(), fired.end(), uint64_t{0});
}

std::string CaseResult::Name() const {
  if (faults.empty()) return "without faults";
  std::string name;
  for (const Fault& fault : faults) name += (name.empty() ? "" : " + ") + fault.Name();
  return name;
}

nlohmann::json ToJson(const CaseResult& result) {
  nlohmann::json json = {{"index", result.index},
                         {"passed", result.passed()},
                         {"calls", result.driver_calls},
                         {"fired", result.fired},
                         {"live", result.live},
                         {"end", result.end_state},
                         {"launches", {result.launches, result.launches_reused}}};
  json["faults"] = nlohmann::json::array();
  for (const Fault& fault : result.faults) json["faults"].push_back(CompactText(fault));
  if (result.only_after_others) json["only_after_others"] = true;
  if (!result.findings.empty()) {
    json["findings"] = nlohmann::json::array();
    for (const Finding& finding : result.findings) json["findings"].push_back(ToJson(finding));
  }
  return json;
}

CaseResult CaseResultFromJson(const nlohmann::json& json) {
  CaseResult result;
  json.at("index").get_to(result.index);
  json.at("calls").get_to(result.driver_calls);
  json.at("fired").get_to(result.fired);
  json.at("live").get_to(result.live);
  json.at("end").get_to(result.end_state);
  json.at("launches").at(0).get_to(result.launches);
  json.at("launches").at(1).get_to(result.launches_reused);
  result.only_after_others = json.value("only_after_others", false);
  for (const nlohmann::json& fault : json.at("faults"))
    result.faults.push_back(FaultFromCompactText(fault.get<std::string>()));
  if (const auto findings = json.find("findings"); findings != json.end()) {
    result.findings = FindingsFromJson(*findings);
  }
  return result;
}

std::vector<Finding> FindingsFromJson(const nlohmann::json& list) {
  std::vector<Finding> findings;
  for (const nlohmann::json& item : list) {
    Finding finding;
    finding.details = item;
    for (const char* own : {"id", "severity", "message", "step"}) finding.details.erase(own);
    item.at("id").get_to(finding.id);
    item.at("severity").get_to(finding.severity);
    item.at("message").get_to(finding.message);
    finding.step = item.value("step", "");
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace culprit::suites
