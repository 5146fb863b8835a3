// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/certify_command.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "suites/runner/suite_reader.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/progress.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/source_line.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;
constexpr size_t kMostFailuresPrinted = 10;
constexpr size_t kMostObjectionsPrinted = 5;

std::string SuitePath(const Installation& installation, const std::string& name) {
  if (name.find('/') != std::string::npos || name.find(".yaml") != std::string::npos) return name;
  const fs::path path = fs::path(installation.suites) / (name + ".yaml");
  if (!fs::exists(path)) {
    throw std::invalid_argument(
        fmt::format("there is no suite '{}' in {}", name, installation.suites));
  }
  return path;
}

suites::Shard ParseShard(const std::string& text) {
  suites::Shard shard;
  if (text.empty()) return shard;
  unsigned index = 0;
  int end = 0;
  if (std::sscanf(text.c_str(), "%u/%u%n", &index, &shard.count, &end) != 2 ||
      static_cast<size_t>(end) != text.size() || index < 1 || index > shard.count) {
    throw std::invalid_argument(
        fmt::format("--shard {}: i/n is expected, with i from 1 to n", text));
  }
  shard.index = index - 1;
  return shard;
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

suites::HostRequest RequestFor(const Installation& installation, const CertifyOptions& options,
                               Report* report) {
  suites::HostRequest request;
  request.port = fs::absolute(options.port);
  if (!fs::exists(request.port)) {
    throw std::invalid_argument(fmt::format("{}: no such file", options.port));
  }
  if (options.suites.empty()) {
    request.suites = installation.SuiteFiles();
  } else {
    for (const std::string& name : options.suites) {
      request.suites.push_back(SuitePath(installation, name));
    }
  }
  for (const std::string& path : request.suites) {
    const suites::Suite suite = suites::ReadSuite(path);
    report->suites.push_back({suite.name, suite.version, suite.title, suite.sha256,
                              fs::absolute(path).lexically_normal().string()});
  }
  request.selection = {options.profiles, options.policies, options.seed};
  request.shard = ParseShard(options.shard);
  request.jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
  request.clips = installation.clips;
  request.golden = installation.golden;
  request.stop_at = options.stop_at;
  report->selection = {{"suites", options.suites},
                       {"profiles", options.profiles},
                       {"policies", options.policies},
                       {"seed", options.seed},
                       {"shard", options.shard.empty() ? "1/1" : options.shard}};
  return request;
}

void Take(const nlohmann::json& answer, Report* report, Progress* progress) {
  const auto type = answer.at("type").get<std::string>();
  if (type == "identity") {
    report->identity = answer;
    report->identity.erase("type");
  } else if (type == "skip") {
    report->skips.push_back({answer.at("suite"), answer.at("what"), answer.at("reason")});
  } else if (type == "progress") {
    progress->Show(answer.at("done"), answer.at("planned"),
                   report->groups.empty() ? "" : report->groups.back().suite);
  } else if (type == "group") {
    suites::GroupResult group = suites::GroupResultFromJson(answer);
    for (suites::CaseResult& result : group.cases) {
      for (suites::Finding& finding : result.findings) ResolveLocations(&finding.details);
    }
    report->groups.push_back(std::move(group));
  }
}

void Print(const Report& report, const std::string& folder) {
  fmt::print("{}", TableOf(report));
  const std::vector<std::string> objections = report.Objections();
  if (objections.empty()) {
    fmt::print("\ncertified: {} {}\n", report.identity.at("port").value("name", ""),
               report.identity.at("port").value("version", ""));
  } else {
    fmt::print("{}\nnot certified:\n", FailuresText(report, kMostFailuresPrinted));
    for (size_t i = 0; i < objections.size() && i < kMostObjectionsPrinted; ++i) {
      fmt::print("  {}\n", objections[i]);
    }
    if (objections.size() > kMostObjectionsPrinted) {
      fmt::print("  and {} more in certificate.json\n", objections.size() - kMostObjectionsPrinted);
    }
  }
  fmt::print("report: {}\n", folder);
}

}  // namespace

int RunCertify(const Installation& installation, const CertifyOptions& options) {
  Report report;
  suites::HostRequest request;
  try {
    request = RequestFor(installation, options, &report);
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: {}\n", error.what());
    return kUsage;
  }
  report.started = UtcNow();
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress;
    report.host_failure =
        RunHost(installation.host, installation.driver_folder, request,
                [&](const nlohmann::json& answer) { Take(answer, &report, &progress); });
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report.identity.is_null()) {
    fmt::print(stderr, "culprit: {}\n", report.host_failure);
    return kCannotRun;
  }
  try {
    WriteReportFiles(report, options.report);
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: {}\n", error.what());
    return kCannotRun;
  }
  if (options.json) {
    fmt::print("{}", ReadTextFile(fs::path(options.report) / "certificate.json"));
  } else {
    Print(report, options.report);
  }
  if (!report.host_failure.empty()) return kCannotRun;
  if (report.groups.empty() && !report.skips.empty()) return kNotApplicable;
  return report.certified() ? kFine : kFindings;
}

}  // namespace culprit::tools
