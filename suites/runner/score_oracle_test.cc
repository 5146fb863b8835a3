// SPDX-License-Identifier: Apache-2.0
//
// A scenario that expects scores proves nothing when none are compared, and must not pass then.
#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Kind = ScoreExpectation::Kind;

class ScoreOracleTest : public testing::TestWithParam<Kind> {
 protected:
  ScoreOracleTest() {
    scenario.expect.scores.kind = GetParam();
    scenario.expect.scores.constant = 1;
    settings.extractors = {"motion"};
    record.driver_calls = 1;
    record.completed = true;
    record.scores_read = true;
    record.scores = {{"key", {1.0}}};
  }

  std::vector<std::string> Messages() const {
    const Promises promises;
    const std::vector<Fault> faults;
    const nlohmann::json none = nlohmann::json::array();
    const Observation seen{.scenario = scenario,
                           .settings = settings,
                           .faults = faults,
                           .promises = promises,
                           .record = record,
                           .driver_findings = none,
                           .expected = expected};
    Findings findings;
    JudgeScores(seen, &findings);
    std::vector<std::string> messages;
    for (const Finding& finding : findings) messages.push_back(finding.message);
    return messages;
  }

  Scenario scenario;
  Settings settings;
  LifeCycleRecord record;
  const std::vector<ScoreSeries> ones = {{"key", {1.0}}};
  const std::vector<ScoreSeries>* expected = &ones;
};

TEST_P(ScoreOracleTest, AcceptsTheExpectedScores) { EXPECT_THAT(Messages(), IsEmpty()); }

TEST_P(ScoreOracleTest, RejectsARunWhoseStepsReadNoScore) {
  record.scores_read = false;
  record.scores.clear();
  EXPECT_THAT(Messages(), ElementsAre(HasSubstr("no score was read, so nothing was compared")));
}

TEST_P(ScoreOracleTest, RejectsARunThatWroteNoScore) {
  record.scores.clear();
  expected = nullptr;
  EXPECT_THAT(Messages(), ElementsAre("no score at all"));
}

TEST_P(ScoreOracleTest, HasNothingToSayAboutARunThatFailed) {
  PortCall& call = record.calls.emplace_back();
  call.kind = StepKind::kSubmit;
  call.returned = call.status.error = -EIO;
  record.scores_read = false;
  record.scores.clear();
  EXPECT_THAT(Messages(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Expecting, ScoreOracleTest,
                         testing::Values(Kind::kGolden, Kind::kSameAs, Kind::kConstant));

class ComparedScoreOracleTest : public ScoreOracleTest {};

TEST_P(ComparedScoreOracleTest, RejectsKeysWithoutAnyScore) {
  const std::vector<ScoreSeries> empty = {{"key", {std::nullopt}}};
  record.scores = empty;
  expected = &empty;
  EXPECT_THAT(Messages(), ElementsAre("no score was written, so nothing was compared"));
}

TEST_P(ComparedScoreOracleTest, RejectsARunThatThereIsNothingToCompareWith) {
  expected = nullptr;
  EXPECT_THAT(Messages(),
              ElementsAre(HasSubstr(GetParam() == Kind::kGolden
                                        ? "no golden scores of this clip are known"
                                        : "the run it must agree with wrote no score")));
}

// A matrix may come to no extractor at all on a port that has none of the kind.
TEST_P(ComparedScoreOracleTest, AcceptsThatNoExtractorScoresNothing) {
  settings.extractors.clear();
  record.scores.clear();
  expected = nullptr;
  EXPECT_THAT(Messages(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Expecting, ComparedScoreOracleTest,
                         testing::Values(Kind::kGolden, Kind::kSameAs));

}  // namespace
}  // namespace culprit::suites
