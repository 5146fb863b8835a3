// SPDX-License-Identifier: Apache-2.0
//
// Each writer on one report made by hand: what must be in it, and that a schema, where there is
// one, holds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

// valijson's adapter needs the library it adapts first.
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/html.h"
#include "tools/culprit/report/junit.h"
#include "tools/culprit/report/sarif.h"
#include "tools/culprit/report/sites.h"
#include "tools/culprit/report/terminal.h"
#include "tools/culprit/report/testing/example_report.h"

namespace culprit::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

const RawResults kRaw{5, std::string(64, 'b')};

testing::AssertionResult IsValid(const nlohmann::json& document, const std::string& schema_path) {
  std::ifstream file(schema_path);
  if (!file) return testing::AssertionFailure() << schema_path << " cannot be read";
  const auto schema_document = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft4)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  valijson::ValidationResults results;
  const valijson::adapters::NlohmannJsonAdapter target(document);
  if (valijson::Validator().validate(schema, target, &results)) return testing::AssertionSuccess();
  auto failure = testing::AssertionFailure();
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) failure << step;
    failure << ": " << error.description << "\n";
  }
  return failure;
}

uint64_t CountOf(const std::string& text, const std::string& part) {
  uint64_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

TEST(CertificateTest, FollowsItsSchemaWhateverTheVerdict) {
  for (const Report& report : {ExampleReport(), CertifiedReport()}) {
    EXPECT_TRUE(IsValid(nlohmann::json(CertificateOf(report, kRaw)), CULPRIT_CERTIFICATE_SCHEMA));
  }
}

TEST(CertificateTest, TheSchemaCheckItselfNoticesADefect) {
  nlohmann::json certificate = CertificateOf(ExampleReport(), kRaw);
  certificate.erase("fault_space");
  EXPECT_FALSE(IsValid(certificate, CULPRIT_CERTIFICATE_SCHEMA));
  certificate = CertificateOf(ExampleReport(), kRaw);
  certificate["failures"][0]["findings"][0]["severity"] = "grave";
  EXPECT_FALSE(IsValid(certificate, CULPRIT_CERTIFICATE_SCHEMA));
}

TEST(CertificateTest, SaysExhaustiveOnlyWhereNothingWasLeftOut) {
  const auto certificate = CertificateOf(ExampleReport(), kRaw);
  const auto& space = certificate.at("fault_space");
  ASSERT_EQ(space.size(), 2U);
  EXPECT_EQ(space[0].at("singles").at("exhaustive"), true);
  EXPECT_EQ(space[0].at("distinct_end_states"), 2);
  EXPECT_EQ(space[1].at("singles").at("exhaustive"), false);
  EXPECT_EQ(space[1].at("singles").at("left_out")[0].at("count"), 5);
}

TEST(CertificateTest, IsNotExhaustiveWhenCasesAreMissing) {
  Report report = ExampleReport();
  report.groups[0].planned = 4;
  const auto certificate = CertificateOf(report, kRaw);
  EXPECT_EQ(certificate.at("fault_space")[0].at("singles").at("exhaustive"), false);
  EXPECT_EQ(certificate.at("fault_space")[0].at("singles").at("left_out")[0].at("count"), 2);
}

TEST(CertificateTest, CountsLaunchesThatWereNotComputedAgain) {
  const auto times = CertificateOf(ExampleReport(), kRaw).at("times");
  EXPECT_EQ(times.at("launches"), 20);
  EXPECT_EQ(times.at("launches_reused"), 12);
}

TEST(CertificateTest, NamesEveryFailureWithItsReplay) {
  const auto certificate = CertificateOf(ExampleReport(), kRaw);
  EXPECT_EQ(certificate.at("verdict"), "not certified");
  const auto& failure = certificate.at("failures").at(0);
  EXPECT_EQ(failure.at("case"), 2);
  EXPECT_EQ(failure.at("replay"), "replays/close-0001.json");
  EXPECT_EQ(failure.at("findings")[0].at("id"), "leak.stream");
  EXPECT_EQ(CertificateOf(CertifiedReport(), kRaw).at("verdict"), "certified");
}

TEST(JUnitTest, HasASuiteForEachProfileAndACaseForEachScenario) {
  const std::string text = JUnitOf(ExampleReport());
  EXPECT_THAT(text, HasSubstr(R"(<testsuite name="close.strict" tests="1" failures="1">)"));
  EXPECT_THAT(text, HasSubstr(R"(<testsuite name="fault_space.r580" tests="1" failures="0">)"));
  EXPECT_THAT(text, HasSubstr(R"(<failure message="1 of 3 cases failed">)"));
  EXPECT_THAT(text, HasSubstr("the port has no &quot;threads&quot;"));
  EXPECT_THAT(text, HasSubstr("1 stream &lt;is&gt; left &amp; alive"));
  EXPECT_EQ(CountOf(text, "<testsuite "), CountOf(text, "</testsuite>"));
  EXPECT_EQ(CountOf(text, "<testcase "), CountOf(text, "</testcase>") + CountOf(text, "\"/>\n"));
}

TEST(JUnitTest, HasNoFailureForACertifiedPort) {
  EXPECT_THAT(JUnitOf(CertifiedReport()), Not(HasSubstr("<failure")));
}

TEST(SarifTest, FollowsTheOfficialSchema) {
  EXPECT_TRUE(IsValid(nlohmann::json(SarifOf(ExampleReport())), CULPRIT_SARIF_SCHEMA));
}

TEST(SarifTest, HasOneResultForEachKindOfFinding) {
  const nlohmann::json results = SarifOf(ExampleReport()).at("runs")[0].at("results");
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].at("ruleId"), "context.missing_at_teardown");
  EXPECT_EQ(results[0].at("level"), "note");
  EXPECT_EQ(results[1].at("ruleId"), "leak.stream");
  EXPECT_EQ(results[1].at("level"), "error");
  EXPECT_THAT(results[1].at("message").at("text").get<std::string>(), HasSubstr("1 case)"));
}

TEST(SarifTest, FingerprintsDoNotDependOnHowOftenAFindingWasMade) {
  Report twice = ExampleReport();
  twice.groups[1].failures.push_back(twice.groups[1].failures[0]);
  const auto fingerprint = [](const Report& report) {
    return SarifOf(report).at("runs")[0].at("results")[1].at("partialFingerprints");
  };
  EXPECT_EQ(fingerprint(ExampleReport()), fingerprint(twice));
}

TEST(HtmlTest, IsOneFileThatLoadsNothing) {
  const std::string text = HtmlOf(ExampleReport());
  EXPECT_THAT(text, testing::StartsWith("<!doctype html>"));
  for (const char* outside : {"http:", "https:", "src=", "<link", "@import"}) {
    EXPECT_THAT(text, Not(HasSubstr(outside))) << "a report must be readable anywhere";
  }
}

TEST(HtmlTest, ShowsVerdictFailureAndReplayAndEscapesWhatItQuotes) {
  const std::string text = HtmlOf(ExampleReport());
  EXPECT_THAT(text, HasSubstr("Not certified"));
  EXPECT_THAT(text, HasSubstr("1 stream &lt;is&gt; left &amp; alive"));
  EXPECT_THAT(text, Not(HasSubstr("<is>")));
  EXPECT_THAT(text, HasSubstr("replays/close-0001.json"));
  EXPECT_THAT(HtmlOf(CertifiedReport()), HasSubstr(">Certified<"));
}

TEST(TerminalTest, TellsHowMuchOfTheFaultSpaceWasCovered) {
  const std::string text = TableOf(ExampleReport());
  EXPECT_THAT(text, HasSubstr("exhaustive"));
  EXPECT_THAT(text, HasSubstr("the sweep takes one result for each call"));
}

TEST(SitesTest, FollowsItsSchemaAndSumsUpByPlace) {
  Report report = ExampleReport();
  report.sites =
      suites::TeardownSites::FromJson(nlohmann::json::parse(R"({"life_cycles":3,"places":[
    {"entry":"cuMemFree_v2","frames":["/no/such/library+0x10"],"runs":3,"failed":1,"retried":1},
    {"entry":"cuMemFree_v2","frames":["/no/such/library+0x20"],"runs":2,"failed":0,"retried":0}]})"));
  const nlohmann::json sites = SitesOf(report);
  EXPECT_TRUE(IsValid(sites, CULPRIT_SITES_SCHEMA));
  ASSERT_EQ(sites.at("sites").size(), 1U) << "without debug information the places are one";
  EXPECT_EQ(sites.at("sites")[0].at("runs"), 5);
  EXPECT_EQ(sites.at("sites")[0].at("retried"), 1);
}

}  // namespace
}  // namespace culprit::tools
