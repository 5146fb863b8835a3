// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/report_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "suites/runner/digest.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/html.h"
#include "tools/culprit/report/junit.h"
#include "tools/culprit/report/sarif.h"

namespace culprit::tools {

namespace fs = std::filesystem;

std::string ReadTextFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void WriteTextFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path));
}

void WriteReportFiles(const Report& report, const std::string& folder) {
  const fs::path root(folder);
  std::error_code error;
  fs::create_directories(root, error);
  if (error) throw std::runtime_error(fmt::format("{}: {}", folder, error.message()));
  const std::vector<Failure> failures = FailuresOf(report);
  fs::remove_all(root / "replays", error);
  if (!failures.empty()) fs::create_directories(root / "replays", error);
  for (const Failure& failure : failures) {
    WriteTextFile(root / failure.replay, ReplayOf(report, failure).dump(2) + "\n");
  }
  const std::string raw = RawResultsOf(report);
  WriteTextFile(root / "results.jsonl", raw);
  WriteTextFile(root / "certificate.json",
                CertificateOf(report, suites::Sha256(raw)).dump(2) + "\n");
  WriteTextFile(root / "junit.xml", JUnitOf(report));
  WriteTextFile(root / "findings.sarif", SarifOf(report).dump(2) + "\n");
  WriteTextFile(root / "report.html", HtmlOf(report));
}

}  // namespace culprit::tools
