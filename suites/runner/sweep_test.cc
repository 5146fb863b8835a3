// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/sweep.h"

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::suites {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const DocumentedResults kDocumented = {
    {"cuInit", {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NO_DEVICE}},
    {"cuMemAlloc_v2", {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY}},
};

const std::vector<SweptCall> kCalls = {
    {"cuInit", 1, 1, StepKind::kStateInit},
    {"cuMemAlloc_v2", 1, 2, StepKind::kOpen},
    {"cuMemFree_v2", 1, 3, StepKind::kClose},
    {"cuMemFree_v2", 2, 4, StepKind::kClose},
};

TEST(SweepTest, TakesOneRepresentativeResultPerCall) {
  const auto cases = PlanSweep(Sweep{}, kCalls, kDocumented, false);
  ASSERT_THAT(cases, SizeIs(4));
  EXPECT_EQ(cases[0][0].result, CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(cases[1][0].result, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cases[2][0].result, CUDA_ERROR_UNKNOWN) << "nothing is documented for the entry";
  EXPECT_EQ(cases[3][0].nth, 2U);
}

TEST(SweepTest, IsTheProductOfResultsMomentsAndSpans) {
  Sweep sweep;
  sweep.results = Sweep::Results::kDocumented;
  sweep.when = {FaultWhen::kBefore, FaultWhen::kAfter};
  sweep.span = {FaultSpan::kOnce, FaultSpan::kSticky};
  sweep.during = {StepKind::kStateInit};
  EXPECT_THAT(PlanSweep(sweep, kCalls, kDocumented, false), SizeIs(2 * 2 * 2));
}

TEST(SweepTest, LeavesCallsOfOtherStepsOut) {
  Sweep sweep;
  sweep.during = {StepKind::kFlush};
  EXPECT_THAT(PlanSweep(sweep, kCalls, kDocumented, false), IsEmpty());
}

TEST(SweepTest, ArmsTheFollowingFaultForTheNextCallOfItsEntry) {
  Sweep sweep;
  sweep.during = {StepKind::kClose};
  sweep.followed_by = {
      {.entry = "cuMemFree", .result = CUDA_ERROR_INVALID_VALUE, .optional = true}};
  const auto cases = PlanSweep(sweep, kCalls, kDocumented, false);
  ASSERT_THAT(cases, SizeIs(2));
  EXPECT_EQ(cases[0][1].nth, 2U);
  EXPECT_EQ(cases[1][1].nth, 3U);
  EXPECT_TRUE(cases[1][1].optional);
}

TEST(SweepTest, CountsCallsByEntryAndKnowsTheirSteps) {
  LifeCycleRecord record;
  record.calls.resize(2);
  record.calls[0].kind = StepKind::kStateInit;
  record.calls[0].calls_after = 2;
  record.calls[1].kind = StepKind::kClose;
  record.calls[1].calls_before = 2;
  record.calls[1].calls_after = 3;
  const auto log = nlohmann::json::parse(R"([{"seq":1,"entry":"cuMemFree_v2"},
      {"seq":2,"entry":"cuMemFree_v2"},{"seq":3,"entry":"cuInit"},{"seq":9,"entry":"cuInit"}])");
  const std::vector<SweptCall> calls = ReadSweptCalls(log, record);
  ASSERT_THAT(calls, SizeIs(3)) << "a call outside every step is left out";
  EXPECT_EQ(calls[1].nth, 2U);
  EXPECT_EQ(calls[2].during, StepKind::kClose);
}

TEST(SweepTest, GivesCallsBetweenTwoStepsToTheLaterOne) {
  LifeCycleRecord record;
  record.calls.resize(2);
  record.calls[0].kind = StepKind::kSubmit;
  record.calls[0].calls_after = 1;
  record.calls[1].kind = StepKind::kFlush;
  record.calls[1].calls_before = 2;
  record.calls[1].calls_after = 3;
  const auto log = nlohmann::json::parse(R"([{"seq":1,"entry":"cuInit"},
      {"seq":2,"entry":"cuMemFree_v2"},{"seq":3,"entry":"cuInit"}])");
  const std::vector<SweptCall> calls = ReadSweptCalls(log, record);
  ASSERT_THAT(calls, SizeIs(3));
  EXPECT_EQ(calls[1].during, StepKind::kFlush);
}

TEST(SweepTest, LeavesOutResultsThatAreNoFailureOfTheCall) {
  const auto table = nlohmann::json::parse(R"([{"symbol":"cuEventQuery","results":
      ["CUDA_SUCCESS","CUDA_ERROR_DEINITIALIZED","CUDA_ERROR_INVALID_HANDLE","CUDA_ERROR_NOT_READY"]}])");
  EXPECT_THAT(ReadDocumentedResults(table).at("cuEventQuery"),
              ElementsAre(CUDA_ERROR_INVALID_HANDLE));
}

}  // namespace
}  // namespace culprit::suites
