// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/replay_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>
#include <stdexcept>

#include "suites/runner/digest.h"
#include "suites/runner/vendor_driver.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/source_line.h"
#include "tools/culprit/report/terminal.h"
#include "tools/culprit/sweep_command.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

std::string SuiteFileFor(const Installation& installation, const nlohmann::json& replay) {
  const auto recorded = replay.at("suite_path").get<std::string>();
  if (fs::exists(recorded)) return recorded;
  return fs::path(installation.suites) / (replay.at("suite").get<std::string>() + ".yaml");
}

suites::HostRequest RequestFrom(const Installation& installation, const nlohmann::json& replay,
                                const std::string& other_port) {
  if (replay.at("culprit_replay") != 1) throw std::invalid_argument("unknown version");
  suites::HostRequest request;
  request.port =
      other_port.empty() ? replay.at("port").get<std::string>() : fs::absolute(other_port).string();
  request.suites = {SuiteFileFor(installation, replay)};
  request.jobs = 1;
  request.clips = installation.clips;
  request.golden = installation.golden;
  suites::ReplayRequest& wanted = request.replay.emplace();
  replay.at("scenario").get_to(wanted.scenario);
  wanted.settings = suites::SettingsFromJson(replay.at("settings"));
  request.selection.real = suites::OnVendorsDriver(wanted.settings);
  replay.at("case").get_to(wanted.index);
  wanted.frames = replay.value("frames", 0U);
  for (const nlohmann::json& fault : replay.at("faults")) {
    wanted.faults.push_back(suites::FaultFromJson(fault));
  }
  if (wanted.index != 0 && wanted.faults.empty()) {
    throw std::invalid_argument("a case of a sweep has a fault");
  }
  const std::string digest = suites::Sha256OfFile(request.suites.front());
  if (digest != replay.at("suite_sha256")) {
    fmt::print(stderr, "culprit: note: {} has changed since the failure was recorded\n",
               request.suites.front());
  }
  return request;
}

std::set<std::string> ErrorIds(const nlohmann::json& findings) {
  std::set<std::string> ids;
  for (const nlohmann::json& finding : findings) {
    if (finding.value("severity", "") == "error") ids.insert(finding.value("id", ""));
  }
  return ids;
}

}  // namespace

int RunReplay(const Installation& installation, const ReplayOptions& options) {
  nlohmann::json replay;
  suites::HostRequest request;
  try {
    replay = nlohmann::json::parse(ReadTextFile(options.file));
    if (IsSweepReplay(replay)) return ReplaySweep(installation, replay, options.json);
    request = RequestFrom(installation, replay, options.port);
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: {}: no valid replay file: {}\n", options.file, error.what());
    return kUsage;
  }
  suites::CaseResult result;
  bool ran = false;
  std::string failure =
      RunHost(installation.host, installation.DriverFolder(request.selection.real), request,
              [&](const nlohmann::json& answer) {
                if (answer.at("type") == "identity" && options.port.empty() &&
                    answer.at("port").at("build_id") != replay.at("build_id")) {
                  fmt::print(stderr, "culprit: note: the port was built anew since: build id {}\n",
                             answer.at("port").value("build_id", ""));
                }
                if (answer.at("type") != "case") return;
                result = suites::CaseResultFromJson(answer.at("case"));
                for (suites::Finding& finding : result.findings) {
                  finding.details.erase("timeline");
                  ResolveLocations(&finding.details);
                }
                ran = true;
              });
  if (failure.empty() && !ran) failure = "the suite has no such scenario any more";
  if (!failure.empty()) {
    fmt::print(stderr, "culprit: {}\n", failure);
    return kCannotRun;
  }
  const nlohmann::json found = suites::ToJson(result).value("findings", nlohmann::json::array());
  const std::set<std::string> expected = ErrorIds(replay.at("findings"));
  const std::set<std::string> got = ErrorIds(found);
  if (options.json) {
    fmt::print(
        "{}\n",
        nlohmann::json{{"reproduced", got == expected}, {"result", suites::ToJson(result)}}.dump(
            2));
  } else {
    fmt::print("{}/{}  {} {}\n{}\n", replay.value("suite", ""), replay.value("scenario", ""),
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
  return got.empty() ? kFine : kFindings;
}

}  // namespace culprit::tools
