// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/verify_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <vector>

#include "input/json_object.h"
#include "input/text_file.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/signature.h"
#include "tools/culprit/report/terminal.h"
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
    if (key == "times") continue;
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

// They follow from nothing, as docs/first_certificate.md says; their form is looked at.
void LookAtTimes(const nlohmann::ordered_json& certificate, Objections* objections) {
  const auto times = certificate.find("times");
  const auto has = [&](const char* key, bool (nlohmann::ordered_json::*is)() const noexcept) {
    const auto value = times->find(key);
    return value != times->end() && ((*value).*is)();
  };
  using Json = nlohmann::ordered_json;
  if (times == certificate.end() || !times->is_object() || times->size() != 4 ||
      !has("started", &Json::is_string) || !has("seconds", &Json::is_number) ||
      !has("launches", &Json::is_number_unsigned) ||
      !has("launches_reused", &Json::is_number_unsigned)) {
    objections->push_back("'times' is not as culprit writes it");
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

// A certificate that has what is needed to look at the rest.
struct Certificate {
  std::string text;
  nlohmann::ordered_json json;
  std::string verdict;
  std::string results;  // path of the raw results
  std::string sha256;   // that these must have
};

Certificate ReadCertificate(const std::string& path) {
  Certificate certificate;
  certificate.text = ReadTextFile(path);
  certificate.json = ParseJson<nlohmann::ordered_json>(certificate.text, path);
  const JsonObject object(certificate.json, path, "the certificate");
  object.Number("culprit_certificate", 1, 1);
  certificate.verdict = object.Text("verdict");
  const JsonObject raw = object.Object("raw_results");
  certificate.results = fs::path(path).parent_path() / raw.NotEmpty("file");
  certificate.sha256 = raw.Text("sha256");
  return certificate;
}

struct Verification {
  std::string verdict;
  Objections objections;
  uint64_t rerun = 0;  // cases that were run again
};

void Verify(const Installation& installation, const VerifyOptions& options,
            const Certificate& certificate, Verification* verification) {
  Objections& objections = verification->objections;
  CheckSignature(certificate.text, options, &objections);
  const fs::path folder = fs::path(options.certificate).parent_path();
  const ResultsStore store = ResultsStore::Open(certificate.results);
  const RawResults raw{store.Cases(), store.Sha256()};
  if (raw.sha256 != certificate.sha256) {
    objections.push_back("the raw results are not those of the certificate");
  }
  const Report report = ReportFrom(store);
  LookForGaps(report, store, &objections);
  Compare(certificate.json, CertificateOf(report, raw), &objections);
  LookAtTimes(certificate.json, &objections);
  for (const Failure& failure : FailuresOf(report)) {
    if (!fs::exists(folder / failure.replay)) {
      objections.push_back(fmt::format("{} is missing", failure.replay));
    }
  }
  if (options.rerun.empty()) return;
  const Rerun rerun =
      RunAgain(installation, report, store, ParseShare(options.rerun), options.seed);
  verification->rerun = rerun.cases;
  objections.insert(objections.end(), rerun.objections.begin(), rerun.objections.end());
}

}  // namespace

int RunVerify(const Installation& installation, const VerifyOptions& options) {
  const Certificate certificate = ReadCertificate(options.certificate);
  if (!options.public_key.empty()) DemandPublicKey(options.public_key);
  Verification verification{.verdict = certificate.verdict, .objections = {}};
  try {
    Verify(installation, options, certificate, &verification);
  } catch (const nlohmann::json::exception&) {
    verification.objections.push_back(certificate.results + ": is not as culprit writes it");
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
    fmt::print("valid; verdict: {}{}{}\n", verification.verdict,
               PartText(certificate.json.at("selection")), again);
  } else {
    fmt::print("refused{}:\n  {}\n", again, fmt::join(objections, "\n  "));
  }
  return objections.empty() ? kFine : kFindings;
}

}  // namespace culprit::tools
