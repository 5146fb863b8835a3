// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/minimize.h"

#include <algorithm>
#include <string>
#include <vector>

#include "suites/runner/suite_reader.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/report/source_line.h"

namespace culprit::tools {
namespace {

// Ids of the errors, the one that names the kind first.
std::vector<std::string> IdsOf(const FailureKind& kind) {
  std::vector<std::string> ids = {kind.finding->id};
  for (const suites::Finding& finding : kind.first.result->findings) {
    const bool known = std::find(ids.begin(), ids.end(), finding.id) != ids.end();
    if (finding.IsError() && !known) ids.push_back(finding.id);
  }
  return ids;
}

MinimalCase MinimalFrom(const nlohmann::json& answer) {
  MinimalCase minimal;
  minimal.settings = suites::SettingsFromJson(answer.at("settings"));
  minimal.result = suites::CaseResultFromJson(answer.at("case"));
  for (suites::Finding& finding : minimal.result.findings) {
    finding.details.erase("timeline");
    ResolveLocations(&finding.details);
  }
  answer.at("index").get_to(minimal.index);
  answer.at("limit").get_to(minimal.limit);
  answer.at("frames").get_to(minimal.frames);
  answer.at("width").get_to(minimal.width);
  answer.at("height").get_to(minimal.height);
  answer.at("tries").get_to(minimal.tries);
  for (const nlohmann::json& fault : answer.at("faults")) {
    minimal.faults.push_back(suites::FaultFromJson(fault));
  }
  return minimal;
}

void AddTestCase(const Report& report, const FailureKind& kind, const SuiteIdentity& identity,
                 MinimalCase* minimal) {
  const std::vector<suites::Finding>& findings = minimal->result.findings;
  const auto error = std::find_if(findings.begin(), findings.end(),
                                  [](const suites::Finding& one) { return one.IsError(); });
  if (error == findings.end()) return;
  const suites::Suite suite = suites::ReadSuite(identity.path);
  for (const suites::Scenario& scenario : suite.scenarios) {
    if (scenario.name != kind.first.group->scenario) continue;
    const suites::ClipChoice& clip = scenario.clip ? *scenario.clip : suite.clip;
    const TestCase wanted{.port = report.identity.at("port").value("path", ""),
                          .suite = suite.name,
                          .scenario = &scenario,
                          .settings = minimal->settings,
                          .faults = minimal->result.faults,
                          .findings = IdsOf({{kind.first.group, &minimal->result, ""}, &*error, 1}),
                          .message = error->message,
                          .width = minimal->width,
                          .height = minimal->height,
                          .frames = minimal->frames,
                          .pattern = clip.name.empty()};
    minimal->test_case = TestCaseOf(wanted);
  }
}

}  // namespace

void MinimizeFailures(const Installation& installation, const suites::HostRequest& request,
                      size_t most, Report* report) {
  if (request.selection.real) return;  // tries are cheap on the fake only
  const std::vector<FailureKind> kinds = KindsOfFailures(*report);
  for (size_t i = 0; i < kinds.size() && i < most; ++i) {
    const FailureKind& kind = kinds[i];
    const auto suite =
        std::find_if(report->suites.begin(), report->suites.end(),
                     [&](const SuiteIdentity& one) { return one.name == kind.first.group->suite; });
    if (suite == report->suites.end() || report->minimal.contains(kind.first.replay)) continue;
    suites::HostRequest smaller = request;
    smaller.suites = {suite->path};
    smaller.only.clear();
    smaller.stop_at.clear();
    smaller.replay = suites::ReplayRequest{kind.first.group->scenario, kind.first.group->settings,
                                           kind.first.result->faults, kind.first.result->index};
    smaller.minimize = IdsOf(kind);
    RunHost(installation.host, installation.driver_folder, smaller,
            [&](const nlohmann::json& answer) {
              if (answer.at("type") != "minimal") return;
              MinimalCase minimal = MinimalFrom(answer);
              AddTestCase(*report, kind, *suite, &minimal);
              report->minimal.emplace(kind.first.replay, std::move(minimal));
            });
  }
}

}  // namespace culprit::tools
