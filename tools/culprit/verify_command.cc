// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/verify_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "suites/runner/digest.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report_files.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Objections(const fs::path& path) {
  std::vector<std::string> objections;
  const auto certificate = nlohmann::ordered_json::parse(ReadTextFile(path));
  if (certificate.at("culprit_certificate") != 1) return {"unknown version of certificate"};
  const fs::path folder = path.parent_path();
  const std::string raw =
      ReadTextFile(folder / certificate.at("raw_results").at("file").get<std::string>());
  const std::string digest = suites::Sha256(raw);
  if (digest != certificate.at("raw_results").at("sha256")) {
    objections.push_back("the raw results are not those of the certificate");
  }
  const Report report = ReportFromRawResults(raw);
  auto expected = CertificateOf(report, digest);
  for (const auto& [key, value] : expected.items()) {
    if (key == "times" || key == "culprit_version") continue;
    if (!certificate.contains(key)) {
      objections.push_back(fmt::format("'{}' is missing", key));
    } else if (certificate.at(key) != value) {
      objections.push_back(fmt::format("'{}' does not follow from the raw results", key));
    }
  }
  for (const auto& [key, value] : certificate.items()) {
    if (!expected.contains(key)) objections.push_back(fmt::format("'{}' is unknown", key));
  }
  for (const Failure& failure : FailuresOf(report)) {
    if (!fs::exists(folder / failure.replay)) {
      objections.push_back(fmt::format("{} is missing", failure.replay));
    }
  }
  return objections;
}

}  // namespace

int RunVerify(const std::string& certificate, bool json) {
  std::vector<std::string> objections;
  std::string verdict;
  try {
    objections = Objections(certificate);
    verdict = nlohmann::json::parse(ReadTextFile(certificate)).at("verdict").get<std::string>();
  } catch (const std::exception& error) {
    objections.push_back(error.what());
  }
  if (json) {
    fmt::print("{}\n",
               nlohmann::json{
                   {"valid", objections.empty()}, {"verdict", verdict}, {"objections", objections}}
                   .dump(2));
  } else if (objections.empty()) {
    fmt::print("valid; verdict: {}\n", verdict);
  } else {
    fmt::print("refused:\n  {}\n", fmt::join(objections, "\n  "));
  }
  return objections.empty() ? kFine : kFindings;
}

}  // namespace culprit::tools
