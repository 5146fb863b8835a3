// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/sarif.h"
#include "tools/culprit/report/testing/example_report.h"

namespace culprit::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kToday = "2030-01-01";

// The example, whose suite 'close' leaks a stream in one of its cases, judged with entries of the
// list of expected failures.
Report Judged(const std::string& entries, const std::string& list = "expected_to_fail") {
  Report report = ExampleReport();
  report.expectations.emplace(
      suites::ParseExpectationsFile("culprit_expectations: 1\n" + list + ":\n" + entries + "\n",
                                    "port.yaml"),
      kToday);
  for (suites::GroupResult& group : report.groups) {
    group.tally = {};
    group.failures.clear();
  }
  for (auto [number, result] : ExampleCases()) {
    suites::GroupResult& group = report.groups[number];
    report.expectations->Apply(group, &result);
    group.tally.Add(result);
    if (!result.passed()) group.failures.push_back(result);
  }
  return report;
}

TEST(ExpectationsTest, AnExpectedFailureFailsNothingAndIsCounted) {
  const Report report = Judged("  - {suite: close, finding: leak.stream, reason: known}");
  EXPECT_TRUE(report.certified());
  const auto certificate = CertificateOf(report, {5, std::string(64, 'b')});
  const auto& entry = certificate.at("expectations").at("entries").at(0);
  EXPECT_EQ(entry.at("uses"), 1);
  EXPECT_EQ(entry.at("state"), "used");
  EXPECT_THAT(certificate.at("failures"), IsEmpty());
  EXPECT_EQ(certificate.at("remarks").size(), 2U) << "the expected one and the note";
}

TEST(ExpectationsTest, AnotherFindingOrScenarioIsNotExcused) {
  for (const char* entry : {"  - {suite: close, finding: leak.event, reason: r}",
                            "  - {suite: close, scenario: other, finding: leak.stream, reason: r}",
                            "  - {suite: close, profile: r580, finding: leak.stream, reason: r}"}) {
    EXPECT_THAT(Judged(entry).Objections(),
                ElementsAre("1 of 5 cases failed", HasSubstr("nothing fails like that any more")))
        << entry;
  }
}

TEST(ExpectationsTest, AnExpiredEntryFailsAndExcusesNothing) {
  const Report report =
      Judged("  - {suite: close, finding: leak.stream, reason: r, expires: 2029-12-31}");
  EXPECT_THAT(report.Objections(),
              ElementsAre("1 of 5 cases failed", HasSubstr("expired on 2029-12-31")));
}

TEST(ExpectationsTest, WhatIsNeverSupportedMustHaveBeenLeftOut) {
  const std::string entry = "  - {suite: close, reason: no close}";
  Report report = Judged(entry, "never_supported");
  EXPECT_THAT(ExpectationObjections(report),
              ElementsAre(HasSubstr("line 3: never_supported close: nothing was left out")));
  report.skips.push_back(report.expectations->file.waivers[0].AsSkip());
  EXPECT_THAT(ExpectationObjections(report), IsEmpty());
}

TEST(ExpectationsTest, EntriesOfWhatWasNotAskedForAreNotJudged) {
  Report report = Judged("  - {suite: state_free, finding: leak.event, reason: r}");
  EXPECT_THAT(ExpectationObjections(report), testing::SizeIs(1)) << "every suite was asked for";
  report.selection["suites"] = {"close"};
  EXPECT_THAT(ExpectationObjections(report), IsEmpty());
  Report shard = Judged("  - {suite: close, finding: leak.event, reason: r}");
  shard.selection["shard"] = "1/2";
  EXPECT_THAT(ExpectationObjections(shard), IsEmpty()) << "another shard may have needed it";
}

TEST(ExpectationsTest, AnExpectedFailureOfASuiteThatDoesNotApplyIsNotJudged) {
  Report report = Judged("  - {suite: ring_pool_retry, finding: leak.event, reason: r}");
  report.groups.clear();
  EXPECT_THAT(ExpectationObjections(report), testing::SizeIs(1)) << "it could have been run";
  report.skips.push_back({"ring_pool_retry", "", "the port does not declare 'preallocate'"});
  EXPECT_THAT(ExpectationObjections(report), IsEmpty());
}

TEST(ExpectationsTest, InSarifAnExpectedFailureIsSuppressedWithItsReason) {
  const nlohmann::json sarif =
      SarifOf(Judged("  - {suite: close, finding: leak.stream, reason: known}"));
  const auto& result = sarif.at("runs")[0].at("results")[1];
  EXPECT_EQ(result.at("level"), "error");
  EXPECT_EQ(result.at("suppressions")[0].at("justification"), "known");
  EXPECT_EQ(result.at("taxa")[0].at("id"), "LEAK-2");
}

TEST(ExpectationsTest, TravelThroughTheStore) {
  const Report report = Judged("  - {suite: close, finding: leak.stream, reason: known}");
  const Expectations back = ExpectationsFromJson(ToJson(*report.expectations));
  EXPECT_EQ(back.judged_on, kToday);
  ASSERT_EQ(back.file.waivers.size(), 1U);
  EXPECT_EQ(back.file.waivers[0].finding, "leak.stream");
  EXPECT_EQ(back.file.sha256, report.expectations->file.sha256);
}

}  // namespace
}  // namespace culprit::tools
