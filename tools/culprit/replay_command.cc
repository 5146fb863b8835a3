// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/replay_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>

#include "input/json_object.h"
#include "input/text_file.h"
#include "suites/runner/digest.h"
#include "suites/runner/port_library.h"
#include "suites/runner/suite_reader.h"
#include "suites/runner/vendor_driver.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/report/source_line.h"
#include "tools/culprit/report/terminal.h"
#include "tools/culprit/sweep_replay.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

std::string SuiteFileFor(const Installation& installation, const JsonObject& replay) {
  const std::string recorded = replay.Text("suite_path");
  const std::string suite = replay.NotEmpty("suite");
  if (fs::exists(recorded)) return recorded;
  const fs::path installed = fs::path(installation.suites) / (suite + ".yaml");
  if (!fs::exists(installed)) {
    throw InputError(fmt::format("{}: suite '{}' is neither at '{}' nor installed", replay.where(),
                                 suite, recorded));
  }
  return installed;
}

void DemandScenario(const JsonObject& replay, const suites::HostRequest& request) {
  const suites::Suite suite = suites::ReadSuite(request.suites.front());
  for (const suites::Scenario& scenario : suite.scenarios) {
    if (scenario.name == request.replay->scenario) return;
  }
  throw InputError(fmt::format("{}: {} has no scenario '{}' any more", replay.where(),
                               request.suites.front(), request.replay->scenario));
}

suites::HostRequest RequestFrom(const Installation& installation, const JsonObject& replay,
                                const std::string& other_port) {
  constexpr uint64_t kMost = UINT32_MAX;
  replay.Number("culprit_replay", 1, 1);
  suites::HostRequest request;
  request.port = other_port.empty() ? replay.NotEmpty("port") : fs::absolute(other_port).string();
  suites::DemandPortFile(request.port);
  request.suites = {SuiteFileFor(installation, replay)};
  request.jobs = 1;
  request.clips = installation.clips;
  request.golden = installation.golden;
  suites::ReplayRequest& wanted = request.replay.emplace();
  wanted.scenario = replay.Text("scenario");
  wanted.settings = suites::SettingsFrom(replay.Object("settings"));
  request.selection.real = suites::OnVendorsDriver(wanted.settings);
  wanted.index = static_cast<uint32_t>(replay.Number("case", 0, kMost));
  if (replay.Has("frames")) {
    wanted.frames = static_cast<uint32_t>(replay.Number("frames", 1, kMost));
  }
  for (const JsonObject& fault : replay.Objects("faults", "fault")) {
    wanted.faults.push_back(suites::FaultFrom(fault));
  }
  if (wanted.index != 0 && wanted.faults.empty()) {
    replay.Fail("faults", "the fault of a case of a sweep");
  }
  DemandScenario(replay, request);
  if (suites::Sha256OfFile(request.suites.front()) != replay.Text("suite_sha256")) {
    fmt::print(stderr, "culprit: note: {} has changed since the failure was recorded\n",
               request.suites.front());
  }
  return request;
}

std::set<std::string> RecordedErrors(const JsonObject& replay) {
  std::set<std::string> ids;
  for (const JsonObject& finding : replay.Objects("findings", "finding")) {
    const std::string id = finding.NotEmpty("id");
    if (finding.Text("severity") == "error") ids.insert(id);
  }
  return ids;
}

std::set<std::string> ErrorsOf(const suites::CaseResult& result) {
  std::set<std::string> ids;
  for (const suites::Finding& finding : result.findings) {
    if (finding.IsError()) ids.insert(finding.id);
  }
  return ids;
}

void Print(const suites::HostRequest& request, const std::string& suite,
           const suites::CaseResult& result, const std::set<std::string>& expected) {
  const std::set<std::string> got = ErrorsOf(result);
  fmt::print("{}/{}  {} {}\n{}\n", suite, request.replay->scenario,
             request.replay->settings.profile, request.replay->settings.Name(), result.Name());
  for (const suites::Finding& finding : result.findings) fmt::print("{}", FindingText(finding));
  if (got.empty()) {
    fmt::print("the case passes\n");
  } else if (got == expected) {
    fmt::print("reproduced: {}\n", fmt::join(got, ", "));
  } else {
    fmt::print("other findings than recorded: {} instead of {}\n", fmt::join(got, ", "),
               fmt::join(expected, ", "));
  }
}

}  // namespace

int RunReplay(const Installation& installation, const ReplayOptions& options) {
  const JsonObject replay(ParseJson(ReadTextFile(options.file), options.file), options.file,
                          "the replay");
  if (IsSweepReplay(replay)) return ReplaySweep(installation, replay, options.json);
  const suites::HostRequest request = RequestFrom(installation, replay, options.port);
  const std::set<std::string> expected = RecordedErrors(replay);
  const std::string build_id = replay.Text("build_id");
  std::optional<suites::CaseResult> result;
  const std::string failure =
      RunHost(installation.host, installation.DriverFolder(request.selection.real), request,
              [&](const nlohmann::json& answer) {
                if (answer.at("type") == "identity" && options.port.empty() &&
                    answer.at("port").at("build_id") != build_id) {
                  fmt::print(stderr, "culprit: note: the port was built anew since: build id {}\n",
                             answer.at("port").value("build_id", ""));
                }
                if (answer.at("type") != "case") return;
                result = suites::CaseResultFromJson(answer.at("case"));
                for (suites::Finding& finding : result->findings) {
                  finding.details.erase("timeline");
                  ResolveLocations(&finding.details);
                }
              });
  if (!failure.empty()) throw std::runtime_error(failure);
  if (!result) throw std::runtime_error(replay.where() + ": the host did not run its case");
  const std::set<std::string> got = ErrorsOf(*result);
  if (options.json) {
    const nlohmann::json json = {{"reproduced", got == expected},
                                 {"result", suites::ToJson(*result)}};
    fmt::print("{}\n", json.dump(2));
  } else {
    Print(request, replay.Text("suite"), *result, expected);
  }
  return got.empty() ? kFine : kFindings;
}

}  // namespace culprit::tools
