// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/report_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "input/input_error.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/html.h"
#include "tools/culprit/report/junit.h"
#include "tools/culprit/report/sarif.h"
#include "tools/culprit/report/sites.h"

namespace culprit::tools {

namespace fs = std::filesystem;

void WriteTextFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path));
}

std::string ResultsPath(const std::string& folder) { return fs::path(folder) / "results.db"; }

ResultsStore CreateResults(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw InputError(fmt::format("{}: no folder for a report can be made there", folder));
  }
  // What an earlier run left would outlive this one if it were interrupted.
  for (const char* name : {"certificate.json", "certificate.json.sig", "junit.xml",
                           "findings.sarif", "sites.json", "report.html", "replays"}) {
    fs::remove_all(fs::path(folder) / name, error);
  }
  return ResultsStore::Create(ResultsPath(folder));
}

void WriteReportFiles(const Report& report, const RawResults& raw, const std::string& folder) {
  const fs::path root(folder);
  std::error_code error;
  const std::vector<Failure> failures = FailuresOf(report);
  if (!failures.empty()) fs::create_directories(root / "replays", error);
  for (const Failure& failure : failures) {
    WriteTextFile(root / failure.replay, ReplayOf(report, failure).dump(2) + "\n");
    const auto minimal = report.minimal.find(failure.replay);
    if (minimal == report.minimal.end()) continue;
    WriteTextFile(root / MinimalReplayOf(failure.replay),
                  MinimalReplayOf(report, failure, minimal->second).dump(2) + "\n");
    const std::string& test = minimal->second.test_case.text;
    if (!test.empty()) WriteTextFile(root / TestCaseFileOf(failure.replay), test);
  }
  WriteTextFile(root / "certificate.json", CertificateOf(report, raw).dump(2) + "\n");
  WriteTextFile(root / "junit.xml", JUnitOf(report));
  WriteTextFile(root / "findings.sarif", SarifOf(report).dump(2) + "\n");
  WriteTextFile(root / "sites.json", SitesOf(report).dump(2) + "\n");
  WriteTextFile(root / "report.html", HtmlOf(report));
}

}  // namespace culprit::tools
