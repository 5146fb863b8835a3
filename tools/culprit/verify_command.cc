// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/verify_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "tools/culprit/exit_code.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/signature.h"
#include "tools/culprit/rerun.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;
using Objections = std::vector<std::string>;

// Every case that the plan has and the shard owes is there.
void LookForGaps(const Report& report, const ResultsStore& store, Objections* objections) {
  const suites::Shard shard = suites::ParseShard(report.selection.at("shard"));
  for (size_t i = 0; i < report.groups.size(); ++i) {
    const suites::GroupResult& group = report.groups[i];
    const std::string name =
        fmt::format("{}/{} ({})", group.suite, group.scenario, group.settings.Name());
    if (group.number != i) {
      objections->push_back(fmt::format("scenario {} is missing", i));
      return;
    }
    if (group.space && group.planned != 1 + group.space->singles + group.space->pairs) {
      objections->push_back(name + ": the plan does not add up");
    }
    if (!group.abandoned.empty()) continue;
    if (const auto gap = store.FirstGap(group, shard)) {
      objections->push_back(fmt::format("{}: case {} of {} is missing", name, *gap, group.planned));
    }
  }
}

void Compare(const nlohmann::ordered_json& certificate, const nlohmann::ordered_json& expected,
             Objections* objections) {
  for (const auto& [key, value] : expected.items()) {
    if (key == "times" || key == "culprit_version") continue;
    if (!certificate.contains(key)) {
      objections->push_back(fmt::format("'{}' is missing", key));
    } else if (certificate.at(key) != value) {
      objections->push_back(fmt::format("'{}' does not follow from the raw results", key));
    }
  }
  for (const auto& [key, value] : certificate.items()) {
    if (!expected.contains(key)) objections->push_back(fmt::format("'{}' is unknown", key));
  }
}

void CheckSignature(const std::string& text, const VerifyOptions& options, Objections* objections) {
  if (options.public_key.empty()) return;
  const std::string path = options.certificate + ".sig";
  if (!fs::exists(path)) {
    objections->push_back("it is not signed");
  } else if (!IsSignedBy(text, ReadTextFile(path), options.public_key)) {
    objections->push_back("it was not signed by the owner of this key, or was changed since");
  }
}

struct Verification {
  std::string verdict;
  Objections objections;
  uint64_t rerun = 0;  // cases that were run again
};

Verification Verify(const Installation& installation, const VerifyOptions& options) {
  Verification verification;
  Objections& objections = verification.objections;
  const std::string text = ReadTextFile(options.certificate);
  const auto certificate = nlohmann::ordered_json::parse(text);
  certificate.at("verdict").get_to(verification.verdict);
  if (certificate.at("culprit_certificate") != 1) {
    objections.push_back("unknown version of certificate");
    return verification;
  }
  CheckSignature(text, options, &objections);
  const fs::path folder = fs::path(options.certificate).parent_path();
  const ResultsStore store =
      ResultsStore::Open(folder / certificate.at("raw_results").at("file").get<std::string>());
  const RawResults raw{store.Cases(), store.Sha256()};
  if (raw.sha256 != certificate.at("raw_results").at("sha256")) {
    objections.push_back("the raw results are not those of the certificate");
  }
  const Report report = ReportFrom(store);
  LookForGaps(report, store, &objections);
  Compare(certificate, CertificateOf(report, raw), &objections);
  for (const Failure& failure : FailuresOf(report)) {
    if (!fs::exists(folder / failure.replay)) {
      objections.push_back(fmt::format("{} is missing", failure.replay));
    }
  }
  if (!options.rerun.empty()) {
    const Rerun rerun =
        RunAgain(installation, report, store, ParseShare(options.rerun), options.seed);
    verification.rerun = rerun.cases;
    objections.insert(objections.end(), rerun.objections.begin(), rerun.objections.end());
  }
  return verification;
}

}  // namespace

int RunVerify(const Installation& installation, const VerifyOptions& options) {
  Verification verification;
  try {
    verification = Verify(installation, options);
  } catch (const std::exception& error) {
    verification.objections.push_back(error.what());
  }
  const Objections& objections = verification.objections;
  const std::string again =
      options.rerun.empty()
          ? ""
          : fmt::format("; {} cases were run again with seed {}", verification.rerun, options.seed);
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"valid", objections.empty()},
                                      {"verdict", verification.verdict},
                                      {"rerun", verification.rerun},
                                      {"objections", objections}}
                           .dump(2));
  } else if (objections.empty()) {
    fmt::print("valid; verdict: {}{}\n", verification.verdict, again);
  } else {
    fmt::print("refused{}:\n  {}\n", again, fmt::join(objections, "\n  "));
  }
  return objections.empty() ? kFine : kFindings;
}

}  // namespace culprit::tools
