// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/culprit/report/testing/example_report.h"

namespace culprit::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

// One case that leaks and misuses a handle; each has its smallest case.
Report WithTwoKinds() {
  Report report = ExampleReport();
  suites::CaseResult& failed = report.groups[1].failures.front();
  failed.findings.push_back({.id = "handle.destroyed", .message = "used again", .step = "close"});
  MinimalCase minimal;
  minimal.result = failed;
  report.minimal["replays/close-0001.json"] = minimal;
  return report;
}

TEST(FailuresTextTest, KindsThatComeDownToOneCaseAreOneWithBothRules) {
  const std::string text = FailuresText(WithTwoKinds(), 10);
  EXPECT_THAT(text, AllOf(HasSubstr("[leak.stream]"), HasSubstr("[handle.destroyed]")));
  EXPECT_THAT(text, AllOf(HasSubstr("LEAK-2: "), HasSubstr("TEAR-1: ")));
  EXPECT_EQ(CountOf(text, "close/used"), 1U);
  EXPECT_EQ(CountOf(text, "smallest"), 1U);
  EXPECT_THAT(text, Not(HasSubstr("findings alike")));
}

TEST(FailuresTextTest, ASmallestCaseWithoutTheFindingIsNotThatOfItsKind) {
  Report report = WithTwoKinds();
  report.minimal.begin()->second.result.findings.pop_back();
  const std::string text = FailuresText(report, 10);
  EXPECT_EQ(CountOf(text, "close/used"), 2U);
  EXPECT_EQ(CountOf(text, "smallest"), 1U);
}

TEST(VerdictTextTest, NamesThePort) {
  EXPECT_THAT(VerdictText(CertifiedReport()), HasSubstr("\ncertified: example 1.2\n"));
  EXPECT_THAT(VerdictText(ExampleReport()),
              HasSubstr("\nnot certified: example 1.2\n  1 of 5 cases failed\n"));
}

}  // namespace
}  // namespace culprit::tools
