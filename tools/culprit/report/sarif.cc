// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/sarif.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "suites/runner/digest.h"
#include "suites/runner/policy.h"
#include "tools/culprit/report/source_line.h"

namespace culprit::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

constexpr const char* kPolicy = "culprit policy";

struct Kind {
  const suites::GroupResult* group = nullptr;
  const suites::CaseResult* result = nullptr;  // null: it fails nothing
  const suites::Finding* finding = nullptr;
  uint64_t cases = 0;
};

std::string TextOf(const nlohmann::json& details, const char* key) {
  const auto found = details.find(key);
  return found != details.end() && found->is_string() ? found->get<std::string>() : "";
}

// In a map, so that the order does not depend on which case came first.
std::map<std::string, Kind> KindsOf(const Report& report) {
  std::map<std::string, Kind> kinds;
  for (const suites::GroupResult& group : report.groups) {
    const auto add = [&](const suites::CaseResult* result, const suites::Finding& finding,
                         uint64_t cases) {
      const std::string key = fmt::format("{}|{}|{}|{}", finding.id, group.suite, finding.step,
                                          TextOf(finding.details, "entry"));
      Kind& kind = kinds[key];
      if (kind.cases == 0) kind = {&group, result, &finding, 0};
      kind.cases += cases;
    };
    for (const suites::CaseResult& result : group.failures) {
      for (const suites::Finding& finding : result.findings) {
        if (finding.IsError()) add(&result, finding, 1);
      }
    }
    for (const auto& [key, remark] : group.tally.remarks)
      add(nullptr, remark.example, remark.count);
  }
  return kinds;
}

Json LocationsOf(const Kind& kind, const Report& report) {
  Json location;
  const auto line = SourceLineOf(kind.finding->details);
  if (line) {
    location["physicalLocation"] = {{"artifactLocation", {{"uri", line->file}}},
                                    {"region", {{"startLine", line->line}}}};
  } else {
    const auto port = report.identity.value("port", nlohmann::json::object());
    location["physicalLocation"] = {{"artifactLocation", {{"uri", port.value("path", "port")}}}};
  }
  location["logicalLocations"] = Json::array(
      {{{"fullyQualifiedName", fmt::format("{}/{}", kind.group->suite, kind.group->scenario)}}});
  return Json::array({location});
}

Json ResultOf(const std::string& key, const Kind& kind, const Report& report) {
  Json result;
  result["ruleId"] = kind.finding->id;
  const bool expected = kind.finding->severity == kExpected;
  result["level"] = expected ? "error" : kind.finding->severity;
  if (expected) {
    result["suppressions"] =
        Json::array({{{"kind", "external"},
                      {"justification", TextOf(kind.finding->details, "expected_because")}}});
  }
  if (const suites::PolicyRule* rule = suites::RuleOf(*kind.finding)) {
    result["taxa"] = Json::array({{{"id", rule->id}, {"toolComponent", {{"name", kPolicy}}}}});
  }
  result["message"]["text"] =
      fmt::format("{} ({}, {} {}, {}; {} case{})", kind.finding->message, kind.group->suite,
                  kind.group->settings.profile, kind.group->settings.Name(),
                  kind.result != nullptr ? kind.result->Name() : "no failure", kind.cases,
                  kind.cases == 1 ? "" : "s");
  result["locations"] = LocationsOf(kind, report);
  result["partialFingerprints"]["culpritFinding/v1"] = suites::Sha256(key);
  return result;
}

}  // namespace

Json SarifOf(const Report& report) {
  const std::map<std::string, Kind> kinds = KindsOf(report);
  std::set<std::string> ids;
  Json results = Json::array();
  for (const auto& [key, kind] : kinds) {
    ids.insert(kind.finding->id);
    results.push_back(ResultOf(key, kind, report));
  }
  Json rules = Json::array();
  for (const std::string& id : ids) {
    Json rule = {{"id", id}, {"helpUri", fmt::format("docs/findings/{}.md", id)}};
    if (const suites::PolicyRule* broken = suites::RuleOfFinding(id)) {
      rule["relationships"] =
          Json::array({{{"target", {{"id", broken->id}, {"toolComponent", {{"name", kPolicy}}}}},
                        {"kinds", Json::array({"superset"})}}});
    }
    rules.push_back(std::move(rule));
  }
  Json run;
  run["tool"]["driver"] = {{"name", "culprit"}, {"version", CULPRIT_VERSION}, {"rules", rules}};
  Json taxa = Json::array();
  for (const suites::PolicyRule& rule : suites::PolicyRules()) {
    taxa.push_back({{"id", rule.id},
                    {"shortDescription", {{"text", rule.promise}}},
                    {"helpUri", fmt::format("docs/rules/{}.md", rule.id)}});
  }
  run["taxonomies"] =
      Json::array({{{"name", kPolicy}, {"version", CULPRIT_VERSION}, {"taxa", taxa}}});
  run["results"] = std::move(results);
  Json sarif;
  sarif["$schema"] = kSchema;
  sarif["version"] = "2.1.0";
  sarif["runs"] = Json::array({std::move(run)});
  return sarif;
}

}  // namespace culprit::tools
