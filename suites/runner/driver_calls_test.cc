// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/driver_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::suites {
namespace {

using testing::ElementsAre;

enum : uint32_t { kFree, kFreeV2, kInit };

const EntryTable kEntries = EntryTable::Read(nlohmann::json::parse(
    R"([{"symbol":"cuMemFree"},{"symbol":"cuMemFree_v2"},{"symbol":"cuInit"}])"));

DriverCall Call(uint64_t sequence, uint32_t entry, int32_t result = 0, int fault = 0) {
  return {.sequence = sequence,
          .thread = 1,
          .entry = entry,
          .nth = 0,
          .result = result,
          .fault = fault};
}

LifeCycleRecord TwoSteps() {
  LifeCycleRecord record;
  record.calls.resize(2);
  record.calls[0].kind = StepKind::kStateInit;
  record.calls[0].calls_after = 3;
  record.calls[1].kind = StepKind::kClose;
  record.calls[1].calls_before = 3;
  record.calls[1].calls_after = 5;
  return record;
}

TEST(CallsOfStepsTest, CountsCallsOfAnEntryAndVariantsUnderTheLookupName) {
  const std::vector<DriverCall> log = {Call(1, kFreeV2), Call(2, kFree), Call(3, kFreeV2),
                                       Call(4, kInit), Call(9, kInit)};
  uint64_t outside = 0;
  EXPECT_THAT(CallsOfSteps(kEntries, log, TwoSteps(), 0, &outside),
              ElementsAre(CallMade{kFreeV2, 1, StepKind::kStateInit},
                          CallMade{kFree, 2, StepKind::kStateInit},
                          CallMade{kFreeV2, 2, StepKind::kStateInit},
                          CallMade{kInit, 1, StepKind::kClose}));
  EXPECT_EQ(outside, 1U);
}

TEST(CallsOfStepsTest, BeginsBehindACallAndStillCountsFromTheBeginning) {
  const std::vector<DriverCall> log = {Call(1, kFreeV2), Call(2, kFreeV2, 1, 1),
                                       Call(4, kFreeV2, 1, 1), Call(5, kInit)};
  const auto calls = CallsOfSteps(kEntries, log, TwoSteps(), FirstFaulted(log));
  EXPECT_THAT(calls, ElementsAre(CallMade{kFreeV2, 3, StepKind::kClose, true},
                                 CallMade{kInit, 1, StepKind::kClose}));
}

TEST(CallsOfStepsTest, GivesCallsBetweenTwoStepsToTheLaterOne) {
  LifeCycleRecord record = TwoSteps();
  record.calls[1].calls_before = 4;
  const std::vector<DriverCall> log = {Call(3, kInit), Call(4, kFree), Call(5, kInit)};
  const auto calls = CallsOfSteps(kEntries, log, record, 0);
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[1].during, StepKind::kClose);
}

TEST(BehaviourTest, IsTheSameForRunsThatGoOnInTheSameWay) {
  const std::vector<DriverCall> early = {Call(1, kInit, 1, 1), Call(2, kFreeV2)};
  const std::vector<DriverCall> late = {Call(1, kInit), Call(2, kInit, 999, 1), Call(3, kFreeV2)};
  const std::vector<DriverCall> other = {Call(1, kInit, 1, 1), Call(2, kFreeV2, 1)};
  EXPECT_EQ(BehaviourAfter(early, 1), BehaviourAfter(late, 2));
  EXPECT_NE(BehaviourAfter(early, 1), BehaviourAfter(other, 1)) << "a call failed on the way";
}

TEST(FirstToHitTest, IsTheFaultWhoseCallComesFirstBehindAnother) {
  const std::vector<DriverCall> log = {Call(1, kInit, 1, 7), Call(2, kFree, 1, 9),
                                       Call(3, kFree, 1, 8), Call(4, kInit, 1, 7)};
  const std::vector<int> ids = {7, 8, 9};
  EXPECT_EQ(FirstToHit(&log, ids, {0, 1, 2}, 0), 0U);
  EXPECT_EQ(FirstToHit(&log, ids, {0, 1, 2}, 1), 2U);
  EXPECT_EQ(FirstToHit(&log, ids, {0, 1}, 1), 1U);
  EXPECT_EQ(FirstToHit(nullptr, ids, {1, 2}, 0), 1U) << "there is no log";
  EXPECT_EQ(FirstToHit(&log, ids, {1, 2}, 3), 1U) << "the log knows none of them";
}

}  // namespace
}  // namespace culprit::suites
