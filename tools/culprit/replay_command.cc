// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/replay_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "input/json_object.h"
#include "input/text_file.h"
#include "suites/runner/port_library.h"
#include "suites/runner/suite_reader.h"
#include "suites/runner/vendor_driver.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/replay_differences.h"
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
                                const ReplayOptions& options) {
  const std::string& other_port = options.port;
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
  DemandNoDifference(replay, SuiteDifferences(replay, request.suites.front()), options.changed);
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

// What the tries came to.
struct Replayed {
  suites::CaseResult
      result;  // the one that is as recorded, or else the last that failed, or passed
  uint32_t tries = 0;
  bool reproduced = false;
};

void LookAtPort(const JsonObject& replay, const suites::HostRequest& request,
                const nlohmann::json& port, const ReplayOptions& options) {
  DemandNoDifference(replay, PortDifferences(replay, request.replay->settings, port),
                     options.changed);
  if (options.port.empty() && port.at("build_id") != replay.Text("build_id")) {
    fmt::print(stderr, "culprit: note: the port was built anew since: build id {}\n",
               port.value("build_id", ""));
  }
}

// `options` where what the port is has to be looked at, null otherwise.
suites::CaseResult RunOnce(const Installation& installation, const JsonObject& replay,
                           const suites::HostRequest& request, const ReplayOptions* options) {
  std::optional<suites::CaseResult> result;
  const std::string failure =
      RunHost(installation.host, installation.DriverFolder(request.selection.real), request,
              [&](const nlohmann::json& answer) {
                if (answer.at("type") == "identity" && options != nullptr) {
                  LookAtPort(replay, request, answer.at("port"), *options);
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
  return std::move(*result);
}

Replayed RunUntilReproduced(const Installation& installation, const JsonObject& replay,
                            const suites::HostRequest& request,
                            const std::set<std::string>& expected, const ReplayOptions& options) {
  const uint32_t by_default = request.replay->settings.threads != 0 ? kTriesWithThreads : 1;
  const uint32_t most = options.tries != 0 ? options.tries : by_default;
  Replayed replayed;
  while (replayed.tries < most && !replayed.reproduced) {
    const bool first = replayed.tries++ == 0;
    suites::CaseResult result = RunOnce(installation, replay, request, first ? &options : nullptr);
    replayed.reproduced = ErrorsOf(result) == expected;
    if (first || replayed.reproduced || !result.passed()) replayed.result = std::move(result);
  }
  return replayed;
}

std::string Verdict(const suites::HostRequest& request, const Replayed& replayed,
                    const std::set<std::string>& expected) {
  const std::set<std::string> got = ErrorsOf(replayed.result);
  const std::string tries =
      replayed.tries > 1 ? fmt::format(" in {} tries", replayed.tries) : std::string();
  if (replayed.reproduced && !got.empty()) {
    return fmt::format("reproduced{}: {}\n", tries, fmt::join(got, ", "));
  }
  std::string text = got.empty()
                         ? fmt::format("the case passes{}\n", tries)
                         : fmt::format("other findings than recorded{}: {} instead of {}\n", tries,
                                       fmt::join(got, ", "), fmt::join(expected, ", "));
  if (request.replay->settings.threads != 0) {
    text +=
        "The order of its threads' calls differs from run to run: more --tries may meet the one "
        "that fails,\nand culprit-interleave runs through all of them.\n";
  }
  return text;
}

void Print(const suites::HostRequest& request, const std::string& suite, const Replayed& replayed,
           const std::set<std::string>& expected) {
  fmt::print("{}/{}  {} {}\n{}\n", suite, request.replay->scenario,
             request.replay->settings.profile, request.replay->settings.Name(),
             replayed.result.Name());
  for (const suites::Finding& finding : replayed.result.findings) {
    fmt::print("{}", FindingText(finding));
  }
  fmt::print("{}", Verdict(request, replayed, expected));
}

}  // namespace

int RunReplay(const Installation& installation, const ReplayOptions& options) {
  const JsonObject replay(ParseJson(ReadTextFile(options.file), options.file), options.file,
                          "the replay");
  if (IsSweepReplay(replay)) {
    if (options.changed || !options.port.empty()) {
      throw InputError(options.file + ": is of a program; --port and --changed are for a port's");
    }
    return ReplaySweep(installation, replay, std::max(options.tries, 1U), options.json);
  }
  const suites::HostRequest request = RequestFrom(installation, replay, options);
  const std::set<std::string> expected = RecordedErrors(replay);
  const Replayed replayed = RunUntilReproduced(installation, replay, request, expected, options);
  if (options.json) {
    const nlohmann::json json = {{"reproduced", replayed.reproduced},
                                 {"tries", replayed.tries},
                                 {"result", suites::ToJson(replayed.result)}};
    fmt::print("{}\n", json.dump(2));
  } else {
    Print(request, replay.Text("suite"), replayed, expected);
  }
  return ErrorsOf(replayed.result).empty() ? kFine : kFindings;
}

}  // namespace culprit::tools
