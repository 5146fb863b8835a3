// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/expectations_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::suites {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kGood = R"(culprit_expectations: 1
never_supported:
  - {suite: ring_pool_retry, profile: strict, reason: no ring under strict}
expected_to_fail:
  - suite: state_free
    scenario: imported
    finding: leak.event
    entry: cuEventCreate
    reason: the flush event is kept until exit
    expires: 2027-02-28
)";

std::string ErrorOf(const std::string& text) {
  try {
    ParseExpectationsFile(text, "port.yaml");
  } catch (const SuiteError& error) {
    return error.what();
  }
  return "accepted";
}

// The file with one entry of the second list.
std::string ErrorOfEntry(const std::string& entry) {
  return ErrorOf("culprit_expectations: 1\nexpected_to_fail:\n  - {" + entry + "}\n");
}

TEST(ExpectationsFileTest, ReadsBothListsWithTheirPlaces) {
  const ExpectationsFile file = ParseExpectationsFile(kGood, "port.yaml");
  ASSERT_EQ(file.waivers.size(), 2U);
  EXPECT_EQ(file.waivers[0].list, WaiverList::kNeverSupported);
  EXPECT_EQ(file.waivers[0].What(), "profile strict");
  EXPECT_EQ(file.waivers[0].where.line, 3);
  EXPECT_EQ(file.waivers[1].list, WaiverList::kExpectedToFail);
  EXPECT_EQ(file.waivers[1].What(), "scenario imported, finding leak.event, entry cuEventCreate");
  EXPECT_EQ(file.waivers[1].reason, "the flush event is kept until exit");
  EXPECT_EQ(file.sha256.size(), 64U);
}

TEST(ExpectationsFileTest, AnEntryHoldsOnItsLastDayAndNotOnTheNext) {
  const Waiver waiver = ParseExpectationsFile(kGood, "port.yaml").waivers[1];
  EXPECT_FALSE(waiver.ExpiredOn("2027-02-28"));
  EXPECT_TRUE(waiver.ExpiredOn("2027-03-01"));
}

TEST(ExpectationsFileTest, CoversWhatItNamesAndNothingElse) {
  const Waiver waiver = ParseExpectationsFile(kGood, "port.yaml").waivers[1];
  EXPECT_TRUE(waiver.Covers("state_free", "imported", Settings{}));
  EXPECT_FALSE(waiver.Covers("state_free", "alone", Settings{}));
  EXPECT_FALSE(waiver.Covers("retryable_close", "imported", Settings{}));
  Finding finding{.id = "leak.event", .message = "", .step = ""};
  EXPECT_FALSE(waiver.Covers(finding)) << "the entry is part of it";
  finding.details["entry"] = "cuEventCreate";
  EXPECT_TRUE(waiver.Covers(finding));
  finding.id = "leak.stream";
  EXPECT_FALSE(waiver.Covers(finding));
}

TEST(ExpectationsFileTest, TravelsAsJson) {
  for (const Waiver& waiver : ParseExpectationsFile(kGood, "port.yaml").waivers) {
    const Waiver back = WaiverFromJson(ToJson(waiver));
    EXPECT_EQ(back.list, waiver.list);
    EXPECT_EQ(back.What(), waiver.What());
    EXPECT_EQ(back.reason, waiver.reason);
    EXPECT_EQ(back.expires, waiver.expires);
  }
}

TEST(ExpectationsFileTest, ErrorsNameFileLineAndRule) {
  EXPECT_THAT(ErrorOf("never_supported: []\n"), StartsWith("port.yaml:1:1: "));
  EXPECT_THAT(ErrorOf("culprit_expectations: 2\n"), HasSubstr("only version 1 is known"));
  EXPECT_THAT(ErrorOf("culprit_expectations: 1\nskip: []\n"),
              StartsWith("port.yaml:2:1: unknown key 'skip'"));
  EXPECT_THAT(ErrorOfEntry("suite: a, finding: leak.event"), HasSubstr("reason"));
  EXPECT_THAT(ErrorOfEntry("suite: a, finding: leak.event, reason: ' '"),
              HasSubstr("a reason must not be empty"));
  EXPECT_THAT(ErrorOfEntry("suite: a, reason: r"), HasSubstr("finding"));
  EXPECT_THAT(ErrorOfEntry("suite: a, finding: leak.evnt, reason: r"),
              HasSubstr("'leak.evnt' is no finding"));
  EXPECT_THAT(ErrorOfEntry("suite: a, finding: leak.event, reason: r, profile: r58"),
              HasSubstr("'r58' is none of: r580, strict, strict-submit"));
  EXPECT_THAT(ErrorOfEntry("suite: a, finding: leak.event, reason: r, entry: cuEventCreat"),
              HasSubstr("no entry 'cuEventCreat'"));
  EXPECT_EQ(ErrorOf(""), "port.yaml: there is nothing in the file");
  EXPECT_THAT(ErrorOf("culprit_expectations: 1\n---\nnever_supported: []\n"),
              StartsWith("port.yaml:2:1: a file holds one document"));
  EXPECT_THAT(ErrorOfEntry("suite: a, finding: leak.event, reason: r, expires: 2027-02-29"),
              HasSubstr("'2027-02-29' is no day"));
  EXPECT_THAT(ErrorOf("culprit_expectations: 1\nnever_supported:\n"
                      "  - {suite: a, reason: r, finding: leak.event}\n"),
              StartsWith("port.yaml:3:27: unknown key 'finding'"));
}

TEST(ExpectationsFileTest, RefusesTwoEntriesThatSayTheSame) {
  EXPECT_THAT(ErrorOf("culprit_expectations: 1\nnever_supported:\n"
                      "  - {suite: a, reason: r}\n  - {suite: a, reason: other}\n"),
              HasSubstr("port.yaml:4:5: the entry in line 3 says the same"));
}

}  // namespace
}  // namespace culprit::suites
