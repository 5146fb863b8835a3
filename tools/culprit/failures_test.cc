// SPDX-License-Identifier: Apache-2.0
//
// How `culprit certify` shows failures of a port that breaks its promises on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tools/culprit/testing/command.h"

namespace culprit::tools {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// A life cycle of the tiny port with one of its defects, each call of the submit failing once.
std::string SuiteWith(const std::string& defect, const std::string& scenario) {
  return "suite: defect\nversion: 1\ntitle: A defect\nsubject: {kind: extractor}\n"
         "matrix: {extractors: [[tiny]]}\n"
         "steps: [state_init, open, use: {options: {defect: " +
         defect + "}}, import, submit, close, state_free]\nscenarios:\n  - name: one\n" + scenario;
}

constexpr const char* kCertify =
    "certify $PORT --suite defect.yaml --profile r580 --policy eager --report report";

TEST(FailuresTest, ASwallowedErrorComesWithTheLineOfItsCall) {
  const CommandFolder folder;
  folder.Write("defect.yaml", SuiteWith("swallow", "    sweep: {during: [submit]}\n"));
  const Outcome outcome = folder.Culprit(kCertify);
  EXPECT_EQ(outcome.code, 1) << outcome.error;
  EXPECT_THAT(outcome.output, HasSubstr("port.error_swallowed"));
  EXPECT_THAT(outcome.output, ContainsRegex("call +#[0-9]+ cuEventCreate"));
  EXPECT_THAT(outcome.output, ContainsRegex("called from .*tiny_port.cc:[0-9]+"));
  EXPECT_THAT(folder.Read("report/report.html"),
              ContainsRegex("called from .*tiny_port.cc:[0-9]+"));

  const json certificate = json::parse(folder.Read("report/certificate.json"));
  const json& finding = certificate.at("failures").at(0).at("findings").at(0);
  EXPECT_THAT(finding.at("source_file"), EndsWith("tiny_port.cc"));
  const json sarif = json::parse(folder.Read("report/findings.sarif"));
  const json& result = sarif.at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "port.error_swallowed");
  EXPECT_EQ(result.at("locations").at(0).at("physicalLocation").at("region").at("startLine"),
            finding.at("source_line"));
}

TEST(FailuresTest, TheStackOfACrashEndsInThePort) {
  const CommandFolder folder;
  folder.Write("defect.yaml", SuiteWith("crash", ""));
  const Outcome outcome = folder.Culprit(std::string(kCertify) + " --minimize 0");
  EXPECT_EQ(outcome.code, 1) << outcome.error;
  const json certificate = json::parse(folder.Read("report/certificate.json"));
  const json& finding = certificate.at("failures").at(0).at("findings").at(0);
  EXPECT_EQ(finding.at("id"), "port.crash");
  EXPECT_THAT(finding.at("stack").dump(), HasSubstr("Submit"));
  EXPECT_THAT(finding.at("stack").dump(), Not(HasSubstr("culprit-host")));
  EXPECT_THAT(finding.at("stack").back(), EndsWith("(libculprit_tiny_port.so)"));
}

}  // namespace
}  // namespace culprit::tools
