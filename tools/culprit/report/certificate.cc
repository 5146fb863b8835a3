// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace culprit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json FindingsOf(const suites::CaseResult& result) {
  Json findings = Json::array();
  for (const suites::Finding& finding : result.findings)
    findings.push_back(Json(suites::ToJson(finding)));
  return findings;
}

Json FaultsOf(const suites::CaseResult& result) {
  Json faults = Json::array();
  for (const suites::Fault& fault : result.faults) faults.push_back(Json(suites::ToJson(fault)));
  return faults;
}

// Findings that fail nothing, counted: warnings, notes and what the port declared.
Json RemarksOf(const Report& report) {
  std::map<std::pair<std::string, std::string>, uint64_t> counts;
  for (const suites::GroupResult& group : report.groups) {
    for (const suites::CaseResult& result : group.cases) {
      for (const suites::Finding& finding : result.findings) {
        if (!finding.IsError()) ++counts[{finding.id, finding.severity}];
      }
    }
  }
  Json remarks = Json::array();
  for (const auto& [key, count] : counts) {
    remarks.push_back({{"id", key.first}, {"severity", key.second}, {"count", count}});
  }
  return remarks;
}

Json DriverOf(const Report& report) {
  Json driver = report.identity.value("driver", nlohmann::json::object());
  driver.erase("pid");
  driver["mapped"] = report.identity.value("mapped_driver", "");
  driver["settings"] = report.identity.value("settings", nlohmann::json::object());
  return driver;
}

}  // namespace

Json CertificateOf(const Report& report, const std::string& raw_sha256) {
  Json certificate;
  certificate["culprit_certificate"] = 1;
  certificate["verdict"] = report.certified() ? "certified" : "not certified";
  certificate["reasons"] = report.Objections();
  certificate["culprit_version"] = CULPRIT_VERSION;
  certificate["port"] = report.identity.value("port", nlohmann::json::object());
  certificate["driver"] = DriverOf(report);
  certificate["selection"] = report.selection;
  certificate["suites"] = Json::array();
  for (const SuiteIdentity& suite : report.suites) {
    certificate["suites"].push_back({{"name", suite.name},
                                     {"version", suite.version},
                                     {"title", suite.title},
                                     {"sha256", suite.sha256}});
  }
  certificate["results"] = Json::array();
  for (const Row& row : RowsOf(report)) {
    certificate["results"].push_back({{"suite", row.suite},
                                      {"profile", row.profile},
                                      {"cases", row.cases},
                                      {"passed", row.passed},
                                      {"failed", row.failed},
                                      {"unreached", row.unreached},
                                      {"driver_calls", row.calls},
                                      {"faults_fired", row.fired}});
  }
  certificate["failures"] = Json::array();
  for (const Failure& failure : FailuresOf(report)) {
    certificate["failures"].push_back({{"suite", failure.group->suite},
                                       {"scenario", failure.group->scenario},
                                       {"settings", suites::ToJson(failure.group->settings)},
                                       {"case", failure.result->index},
                                       {"faults", FaultsOf(*failure.result)},
                                       {"findings", FindingsOf(*failure.result)},
                                       {"replay", failure.replay}});
  }
  certificate["remarks"] = RemarksOf(report);
  certificate["not_run"] = Json::array();
  for (const suites::Skip& skip : report.skips) {
    certificate["not_run"].push_back(
        {{"suite", skip.suite}, {"what", skip.what}, {"reason", skip.reason}});
  }
  certificate["raw_results"] = {{"file", "results.jsonl"}, {"sha256", raw_sha256}};
  certificate["times"] = {{"started", report.started}, {"seconds", report.seconds}};
  return certificate;
}

std::string RawResultsOf(const Report& report) {
  nlohmann::json identity = report.identity;
  identity["driver"].erase("pid");
  nlohmann::json suites_json = nlohmann::json::array();
  for (const SuiteIdentity& suite : report.suites) {
    suites_json.push_back({{"name", suite.name},
                           {"version", suite.version},
                           {"title", suite.title},
                           {"sha256", suite.sha256}});
  }
  std::string text = nlohmann::json{{"type", "run"},
                                    {"identity", std::move(identity)},
                                    {"selection", report.selection},
                                    {"suites", std::move(suites_json)},
                                    {"host_failure", report.host_failure}}
                         .dump() +
                     "\n";
  for (const suites::Skip& skip : report.skips) {
    text +=
        nlohmann::json{
            {"type", "skip"}, {"suite", skip.suite}, {"what", skip.what}, {"reason", skip.reason}}
            .dump() +
        "\n";
  }
  for (const suites::GroupResult& group : report.groups) {
    nlohmann::json line = suites::ToJson(group);
    line["type"] = "group";
    text += line.dump() + "\n";
  }
  return text;
}

Report ReportFromRawResults(const std::string& text) {
  Report report;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const auto json = nlohmann::json::parse(line);
      const auto type = json.at("type").get<std::string>();
      if (type == "run") {
        report.identity = json.at("identity");
        report.selection = json.at("selection");
        report.host_failure = json.at("host_failure");
        for (const nlohmann::json& suite : json.at("suites")) {
          report.suites.push_back({.name = suite.at("name"),
                                   .version = suite.at("version"),
                                   .title = suite.at("title"),
                                   .sha256 = suite.at("sha256"),
                                   .path = {}});
        }
      } else if (type == "skip") {
        report.skips.push_back({json.at("suite"), json.at("what"), json.at("reason")});
      } else if (type == "group") {
        report.groups.push_back(suites::GroupResultFromJson(json));
      } else {
        throw std::invalid_argument("unknown type '" + type + "'");
      }
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("results.jsonl:{}: {}", number, error.what()));
    }
  }
  return report;
}

Json ReplayOf(const Report& report, const Failure& failure) {
  const suites::GroupResult& group = *failure.group;
  const auto suite =
      std::find_if(report.suites.begin(), report.suites.end(),
                   [&](const SuiteIdentity& known) { return known.name == group.suite; });
  Json replay;
  replay["culprit_replay"] = 1;
  replay["port"] = report.identity.at("port").at("path");
  replay["build_id"] = report.identity.at("port").at("build_id");
  replay["suite"] = group.suite;
  replay["suite_path"] = suite != report.suites.end() ? suite->path : "";
  replay["suite_sha256"] = suite != report.suites.end() ? suite->sha256 : "";
  replay["scenario"] = group.scenario;
  replay["settings"] = suites::ToJson(group.settings);
  replay["case"] = failure.result->index;
  replay["faults"] = FaultsOf(*failure.result);
  replay["findings"] = FindingsOf(*failure.result);
  return replay;
}

}  // namespace culprit::tools
