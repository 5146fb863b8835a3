// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

#include "suites/runner/policy.h"

namespace culprit::tools {
namespace {

using Json = nlohmann::ordered_json;

Json FindingsOf(const suites::CaseResult& result) {
  Json findings = Json::array();
  for (const suites::Finding& finding : result.findings) {
    Json json(suites::ToJson(finding));
    json.erase("timeline");
    if (const suites::PolicyRule* rule = suites::RuleOf(finding)) json["rule"] = rule->id;
    findings.push_back(std::move(json));
  }
  return findings;
}

Json FaultsOf(const suites::CaseResult& result) {
  Json faults = Json::array();
  for (const suites::Fault& fault : result.faults) faults.push_back(Json(suites::ToJson(fault)));
  return faults;
}

// Findings that fail nothing, counted: warnings, notes and what the port declared.
Json RemarksOf(const Report& report) {
  suites::Tally all;
  for (const suites::GroupResult& group : report.groups) all.Add(group.tally);
  std::map<std::pair<std::string, std::string>, uint64_t> counts;
  for (const auto& [key, remark] : all.remarks) {
    counts[{remark.example.id, remark.example.severity}] += remark.count;
  }
  Json remarks = Json::array();
  for (const auto& [key, count] : counts) {
    remarks.push_back({{"id", key.first}, {"severity", key.second}, {"count", count}});
  }
  return remarks;
}

Json LeftOutJson(const std::vector<suites::LeftOut>& list) {
  Json json = Json::array();
  for (const suites::LeftOut& left : list) {
    json.push_back({{"what", left.what}, {"reason", left.reason}, {"count", left.count}});
  }
  return json;
}

Json FaultSpaceOf(const Report& report) {
  Json list = Json::array();
  for (const Coverage& coverage : CoverageOf(report)) {
    const suites::GroupResult& group = *coverage.group;
    const suites::FaultSpace& space = *group.space;
    Json one = {{"suite", group.suite},
                {"scenario", group.scenario},
                {"settings", suites::ToJson(group.settings)},
                {"driver_calls", space.calls},
                {"sites", space.sites},
                {"runs", group.tally.cases},
                {"distinct_end_states", group.tally.end_states.size()},
                {"singles",
                 {{"planned", space.singles},
                  {"exhaustive", coverage.singles_exhaustive()},
                  {"left_out", LeftOutJson(coverage.singles_left_out)}}}};
    if (space.pairs_wanted) {
      one["pairs"] = {{"planned", space.pairs},
                      {"classes", space.classes},
                      {"first_faults", space.first_faults},
                      {"exhaustive_over_classes", coverage.pairs_exhaustive()},
                      {"left_out", LeftOutJson(coverage.pairs_left_out)}};
    }
    list.push_back(std::move(one));
  }
  return list;
}

// Each rule of the policy with the suites that are evidence for it and the cases that broke it.
Json RulesOf(const Report& report) {
  std::map<std::string_view, uint64_t> broken;
  for (const Failure& failure : FailuresOf(report)) {
    std::set<std::string_view> rules;
    for (const suites::Finding& finding : failure.result->findings) {
      const suites::PolicyRule* rule = finding.IsError() ? suites::RuleOf(finding) : nullptr;
      if (rule != nullptr) rules.insert(rule->id);
    }
    for (const std::string_view rule : rules) ++broken[rule];
  }
  Json list = Json::array();
  for (const suites::PolicyRule& rule : suites::PolicyRules()) {
    Json evidence = Json::array();
    for (const SuiteIdentity& suite : report.suites) {
      const bool run =
          std::any_of(report.groups.begin(), report.groups.end(),
                      [&](const suites::GroupResult& group) { return group.suite == suite.name; });
      const bool names =
          std::find(suite.rules.begin(), suite.rules.end(), rule.id) != suite.rules.end();
      if (run && names) evidence.push_back(suite.name);
    }
    list.push_back({{"id", rule.id},
                    {"promise", rule.promise},
                    {"evidence", std::move(evidence)},
                    {"broken_by_cases", broken[rule.id]}});
  }
  return list;
}

Json ExpectationsOf(const Report& report) {
  Json entries = Json::array();
  for (const WaiverUse& use : UseOf(report)) {
    Json entry(suites::ToJson(*use.waiver));
    entry["uses"] = use.uses;
    entry["state"] = !use.asked     ? "not asked for"
                     : use.expired  ? "expired"
                     : use.unused() ? "unused"
                                    : "used";
    entries.push_back(std::move(entry));
  }
  return {{"sha256", report.expectations->file.sha256},
          {"judged_on", report.expectations->judged_on},
          {"entries", std::move(entries)}};
}

Json DriverOf(const Report& report) {
  Json driver = report.identity.value("driver", nlohmann::json::object());
  driver.erase("pid");
  driver["mapped"] = report.identity.value("mapped_driver", "");
  driver["settings"] = report.identity.value("settings", nlohmann::json::object());
  return driver;
}

}  // namespace

Json CertificateOf(const Report& report, const RawResults& raw) {
  Json certificate;
  certificate["culprit_certificate"] = 1;
  certificate["verdict"] = report.certified() ? "certified" : "not certified";
  certificate["reasons"] = report.Objections();
  certificate["culprit_version"] = report.version;
  certificate["port"] = report.identity.value("port", nlohmann::json::object());
  certificate["driver"] = DriverOf(report);
  certificate["selection"] = report.selection;
  certificate["suites"] = Json::array();
  for (const SuiteIdentity& suite : report.suites) {
    certificate["suites"].push_back({{"name", suite.name},
                                     {"version", suite.version},
                                     {"title", suite.title},
                                     {"rules", suite.rules},
                                     {"sha256", suite.sha256}});
  }
  certificate["rules"] = RulesOf(report);
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
  certificate["fault_space"] = FaultSpaceOf(report);
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
  for (const suites::Skip& skip : report.NotRun()) {
    certificate["not_run"].push_back(
        {{"suite", skip.suite}, {"what", skip.what}, {"reason", skip.reason}});
  }
  if (report.expectations) certificate["expectations"] = ExpectationsOf(report);
  certificate["raw_results"] = {
      {"file", "results.db"}, {"cases", raw.cases}, {"sha256", raw.sha256}};
  uint64_t launches = 0;
  uint64_t reused = 0;
  for (const Row& row : RowsOf(report)) {
    launches += row.launches;
    reused += row.launches_reused;
  }
  certificate["times"] = {{"started", report.started},
                          {"seconds", report.seconds},
                          {"launches", launches},
                          {"launches_reused", reused}};
  return certificate;
}

void StoreIdentity(const Report& report, ResultsStore* store) {
  nlohmann::json identity = report.identity;
  identity["driver"].erase("pid");
  nlohmann::json suites_json = nlohmann::json::array();
  for (const SuiteIdentity& suite : report.suites) {
    suites_json.push_back({{"name", suite.name},
                           {"version", suite.version},
                           {"title", suite.title},
                           {"sha256", suite.sha256},
                           {"path", suite.path},
                           {"rules", suite.rules}});
  }
  store->Put("culprit_version", report.version);
  store->Put("identity", identity);
  store->Put("selection", report.selection);
  store->Put("suites", suites_json);
  store->Put("host_failure", report.host_failure);
  store->Put("sites", report.sites.Json());
  store->Put("expectations", report.expectations ? ToJson(*report.expectations) : nlohmann::json());
}

Report ReportWithoutCases(const ResultsStore& store) {
  Report report;
  store.Get("culprit_version").get_to(report.version);
  report.identity = store.Get("identity");
  report.selection = store.Get("selection");
  report.sites = suites::TeardownSites::FromJson(store.Get("sites"));
  store.Get("host_failure").get_to(report.host_failure);
  for (const nlohmann::json& suite : store.Get("suites")) {
    report.suites.push_back({.name = suite.at("name"),
                             .version = suite.at("version"),
                             .title = suite.at("title"),
                             .sha256 = suite.at("sha256"),
                             .path = suite.at("path"),
                             .rules = suite.at("rules")});
  }
  if (const nlohmann::json expectations = store.Get("expectations"); !expectations.is_null()) {
    report.expectations = ExpectationsFromJson(expectations);
  }
  report.skips = store.Skips();
  report.groups = store.Groups();
  return report;
}

Report ReportFrom(const ResultsStore& store) {
  Report report = ReportWithoutCases(store);
  for (suites::GroupResult& group : report.groups) {
    store.ForEachCase(group.number, [&](const suites::CaseResult& result, bool said_to_pass) {
      if (said_to_pass != result.passed()) {
        throw std::runtime_error(
            fmt::format("{}/{}, case {}: its verdict is not that of its findings", group.suite,
                        group.scenario, result.index));
      }
      suites::CaseResult judged = result;
      if (report.expectations) report.expectations->Apply(group, &judged);
      group.tally.Add(judged);
      if (!judged.passed()) group.failures.push_back(std::move(judged));
    });
  }
  return report;
}

namespace {

Json ReplayFor(const Report& report, const suites::GroupResult& group,
               const suites::Settings& settings, uint32_t index, const suites::CaseResult& result) {
  const auto suite =
      std::find_if(report.suites.begin(), report.suites.end(),
                   [&](const SuiteIdentity& known) { return known.name == group.suite; });
  Json replay;
  replay["culprit_replay"] = 1;
  replay["port"] = report.identity.at("port").at("path");
  replay["build_id"] = report.identity.at("port").at("build_id");
  const Json& port = report.identity.at("port");
  if (port.contains("abilities")) replay["abilities"] = port.at("abilities");
  replay["suite"] = group.suite;
  replay["suite_path"] = suite != report.suites.end() ? suite->path : "";
  replay["suite_sha256"] = suite != report.suites.end() ? suite->sha256 : "";
  replay["scenario"] = group.scenario;
  replay["settings"] = suites::ToJson(settings);
  replay["case"] = index;
  replay["faults"] = FaultsOf(result);
  replay["findings"] = FindingsOf(result);
  return replay;
}

}  // namespace

Json ReplayOf(const Report& report, const Failure& failure) {
  return ReplayFor(report, *failure.group, failure.group->settings, failure.result->index,
                   *failure.result);
}

Json MinimalReplayOf(const Report& report, const Failure& failure, const MinimalCase& minimal) {
  Json replay = ReplayFor(report, *failure.group, minimal.settings, minimal.index, minimal.result);
  if (minimal.limit != 0) replay["frames"] = minimal.limit;
  replay["minimized_from"] = failure.replay;
  return replay;
}

}  // namespace culprit::tools
