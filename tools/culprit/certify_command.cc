// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/certify_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <thread>

#include "input/input_error.h"
#include "input/text_file.h"
#include "suites/runner/clip_files.h"
#include "suites/runner/suite_reader.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/minimize.h"
#include "tools/culprit/progress.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/signature.h"
#include "tools/culprit/report/source_line.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

std::string SuitePath(const Installation& installation, const std::string& name) {
  if (name.find('/') != std::string::npos || name.find(".yaml") != std::string::npos) return name;
  const fs::path path = fs::path(installation.suites) / (name + ".yaml");
  if (!fs::exists(path)) {
    throw InputError(fmt::format("there is no suite '{}' in {}", name, installation.suites));
  }
  return path;
}

// An entry about a suite or a scenario that does not exist would excuse nothing, without a word
// where the command line leaves that suite out anyway.
void DemandKnownSuites(const suites::ExpectationsFile& file, const Installation& installation,
                       const std::vector<suites::Suite>& chosen) {
  std::map<std::string, suites::Suite> known;
  for (const suites::Suite& suite : chosen) known.emplace(suite.name, suite);
  for (const std::string& path : installation.SuiteFiles()) {
    if (!known.contains(fs::path(path).stem())) {
      known.emplace(fs::path(path).stem(), suites::ReadSuite(path));
    }
  }
  for (const suites::Waiver& waiver : file.waivers) {
    const auto suite = known.find(waiver.suite);
    if (suite == known.end()) {
      throw suites::SuiteError(waiver.where, fmt::format("there is no suite '{}'", waiver.suite));
    }
    const auto& scenarios = suite->second.scenarios;
    if (waiver.scenario.empty() ||
        std::any_of(scenarios.begin(), scenarios.end(), [&](const suites::Scenario& scenario) {
          return scenario.name == waiver.scenario;
        })) {
      continue;
    }
    throw suites::SuiteError(waiver.where, fmt::format("suite '{}' has no scenario '{}'",
                                                       waiver.suite, waiver.scenario));
  }
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
  suites::DemandPortFile(options.port);
  if (!options.signing_key.empty()) DemandPrivateKey(options.signing_key);
  if (options.suites.empty()) {
    request.suites = installation.SuiteFiles();
  } else {
    for (const std::string& name : options.suites) {
      request.suites.push_back(SuitePath(installation, name));
    }
  }
  std::vector<suites::Suite> chosen;
  for (const std::string& path : request.suites) {
    const suites::Suite& suite = chosen.emplace_back(suites::ReadSuite(path));
    suites::DemandClips(suite, installation.clips);
    report->suites.push_back({suite.name, suite.version, suite.title, suite.sha256,
                              fs::absolute(path).lexically_normal().string(), suite.rules});
  }
  if (!options.expectations.empty()) {
    report->expectations.emplace(suites::ReadExpectationsFile(options.expectations),
                                 UtcNow().substr(0, 10));
    DemandKnownSuites(report->expectations->file, installation, chosen);
    request.never_supported = report->expectations->NeverSupported();
  }
  request.selection = {options.profiles, options.policies, options.seed, options.real};
  request.shard = suites::ParseShard(options.shard);
  request.jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
  request.clips = installation.clips;
  request.golden = installation.golden;
  request.stop_at = options.stop_at;
  request.all_singles = options.singles == "all";
  request.pairs = options.pairs;
  request.reuse_launches = !options.compute_every_launch;
  report->selection = {
      {"suites", options.suites},     {"profiles", options.profiles},
      {"policies", options.policies}, {"seed", options.seed},
      {"real", options.real},         {"singles", options.singles},
      {"pairs", options.pairs},       {"reuse_launches", !options.compute_every_launch},
      {"shard", options.shard}};
  return request;
}

// A timeline is for reading: nothing follows from it.
suites::CaseResult WithoutTimeline(suites::CaseResult result) {
  for (suites::Finding& finding : result.findings) finding.details.erase("timeline");
  return result;
}

// What the host answers, into the store and the report.
class Intake {
 public:
  Intake(Report* report, ResultsStore* store) : report_(report), store_(store) {}

  void Take(const nlohmann::json& answer) {
    const auto type = answer.at("type").get<std::string>();
    if (type == "case") {
      TakeCase(answer);
    } else if (type == "identity") {
      report_->identity = answer;
      report_->identity.erase("type");
    } else if (type == "skip") {
      report_->skips.push_back({answer.at("suite"), answer.at("what"), answer.at("reason")});
      store_->Add(report_->skips.back());
    } else if (type == "progress") {
      progress_.Show(answer.at("done"), answer.at("planned"),
                     report_->groups.empty() ? "" : report_->groups.back().suite);
    } else if (type == "group") {
      TakeGroup(answer);
    } else if (type == "sites") {
      report_->sites = suites::TeardownSites::FromJson(answer.at("sites"));
    }
  }

 private:
  struct Unfinished {
    suites::Tally tally;
    std::map<uint32_t, suites::CaseResult> failures;
  };

  void TakeCase(const nlohmann::json& answer) {
    suites::CaseResult result = suites::CaseResultFromJson(answer.at("case"));
    for (suites::Finding& finding : result.findings) ResolveLocations(&finding.details);
    const auto number = answer.at("group").get<uint32_t>();
    store_->Add(number, WithoutTimeline(result));
    Unfinished& group = unfinished_[number];
    if (result.passed()) {
      group.tally.Add(result);
    } else {
      group.failures.emplace(result.index, std::move(result));
    }
  }

  void TakeGroup(const nlohmann::json& answer) {
    suites::GroupResult group = suites::GroupResultFromJson(answer);
    store_->Add(group);
    Unfinished& cases = unfinished_[group.number];
    group.tally = std::move(cases.tally);
    for (auto& [index, result] : cases.failures) {
      if (report_->expectations) report_->expectations->Apply(group, &result);
      group.tally.Add(result);
      if (!result.passed()) group.failures.push_back(std::move(result));
    }
    unfinished_.erase(group.number);
    report_->groups.push_back(std::move(group));
  }

  Report* report_;
  ResultsStore* store_;
  Progress progress_;
  std::map<uint32_t, Unfinished> unfinished_;
};

}  // namespace

int RunCertify(const Installation& installation, const CertifyOptions& options) {
  Report report;
  const suites::HostRequest request = RequestFor(installation, options, &report);
  report.started = UtcNow();
  const auto start = std::chrono::steady_clock::now();
  ResultsStore store = CreateResults(options.report);
  {
    Intake intake(&report, &store);
    report.host_failure =
        RunHost(installation.host, installation.DriverFolder(options.real), request,
                [&](const nlohmann::json& answer) { intake.Take(answer); });
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report.identity.is_null()) throw std::runtime_error(report.host_failure);
  MinimizeFailures(installation, request, options.minimize, &report);
  StoreIdentity(report, &store);
  store.Finish();
  const ResultsStore raw = ResultsStore::Open(ResultsPath(options.report));
  WriteReportFiles(report, {raw.Cases(), raw.Sha256()}, options.report);
  if (!options.signing_key.empty()) SignCertificate(options.report, options.signing_key);
  if (options.json) {
    fmt::print("{}", ReadTextFile(fs::path(options.report) / "certificate.json"));
  } else {
    fmt::print("{}{}report: {}\n", TableOf(report), VerdictText(report), options.report);
  }
  if (!report.host_failure.empty()) return kCannotRun;
  if (report.groups.empty() && !report.skips.empty() && ExpectationObjections(report).empty()) {
    return kNotApplicable;
  }
  return report.certified() ? kFine : kFindings;
}

}  // namespace culprit::tools
