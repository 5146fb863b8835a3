// SPDX-License-Identifier: Apache-2.0
#include "stress/report/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "stress/report/report.h"

namespace culprit::stress {
namespace {

using ::testing::HasSubstr;

const ProbeInfo kProbe{.name = "thing", .summary = "", .object = "one thing"};

// A finished trial whose heap, device memory and handles are what the functions say.
Trial Finished(int64_t cycles, const std::function<int64_t(int64_t)>& heap,
               const std::function<int64_t(int64_t)>& device,
               const std::function<int64_t(int64_t)>& handles) {
  Trial trial;
  trial.ending = Ending::kDone;
  trial.seconds = 1;
  for (int64_t i = 0; i <= 100; ++i) {
    Sample sample;
    sample.cycle = i * cycles / 100;
    sample[Resource::kHeap] = heap(sample.cycle);
    sample[Resource::kDeviceMemory] = device(sample.cycle);
    sample[Resource::kHandles] = handles(sample.cycle);
    trial.samples.push_back(sample);
  }
  return trial;
}

int64_t Constant(int64_t) { return 1 << 20; }
int64_t OnePerCycle(int64_t cycle) { return cycle; }
int64_t ManyPerCycle(int64_t cycle) { return 1000 * cycle; }

ProbeResult AssessThing(Trial clean, std::optional<Trial> control) {
  return Assess(kProbe, std::move(clean), std::move(control), {});
}

TEST(AssessTest, AFlatLoopAgainstAVisibleControlIsFlatAndPrintsItsPower) {
  const ProbeResult result = AssessThing(Finished(2000, Constant, Constant, Constant),
                                         Finished(400, ManyPerCycle, Constant, OnePerCycle));
  EXPECT_EQ(result.status, Status::kFlat);
  EXPECT_THAT(result.reason, HasSubstr("of heap in use a cycle; one thing is 1000 B"));
  EXPECT_EQ(result.cycles, 2000);
  ASSERT_EQ(result.resources.size(), 3u);
  EXPECT_EQ(result.resources[1].must_see, 500);
}

TEST(AssessTest, AGrowingCleanLoopIsALeakThatNamesItsResource) {
  const ProbeResult result = AssessThing(Finished(2000, ManyPerCycle, Constant, Constant),
                                         Finished(400, ManyPerCycle, Constant, OnePerCycle));
  EXPECT_EQ(result.status, Status::kLeak);
  EXPECT_THAT(result.reason, HasSubstr("heap in use grows by 1000 B a cycle"));
}

TEST(AssessTest, AControlThatLeavesNoTraceMakesTheRunBlind) {
  const ProbeResult result = AssessThing(Finished(2000, Constant, Constant, Constant),
                                         Finished(400, Constant, Constant, OnePerCycle));
  EXPECT_EQ(result.status, Status::kUnsure);
  EXPECT_THAT(result.reason, HasSubstr("blind"));
  EXPECT_GT(result.cycles_needed, 2000);
}

TEST(AssessTest, ARunTooShortForTheYardstickAsksForMore) {
  auto in_chunks = [](int64_t cycle) { return (cycle * 40000 / (2 << 20)) * (2 << 20); };
  const ProbeResult result = AssessThing(Finished(100, Constant, Constant, Constant),
                                         Finished(1000, Constant, in_chunks, OnePerCycle));
  EXPECT_EQ(result.status, Status::kUnsure);
  EXPECT_THAT(result.reason, HasSubstr("device memory"));
  EXPECT_GT(result.cycles_needed, 300);
}

TEST(AssessTest, ToleratedGrowthIsFlat) {
  AssessOptions options;
  options.tolerance[static_cast<size_t>(Resource::kHeap)] = 2000;
  const ProbeResult result =
      Assess(kProbe, Finished(2000, ManyPerCycle, Constant, Constant), std::nullopt, options);
  EXPECT_EQ(result.status, Status::kFlat);
}

TEST(AssessTest, WhatTheMachineDoesNotOfferIsLeftOut) {
  const ProbeResult result =
      AssessThing(Finished(
                      2000, [](int64_t) { return kUnavailable; }, Constant, Constant),
                  {});
  ASSERT_EQ(result.resources.size(), 2u);
  EXPECT_EQ(result.resources[0].resource, Resource::kDeviceMemory);
}

TEST(AssessTest, OtherEndingsKeepTheirReason) {
  Trial skipped;
  skipped.ending = Ending::kSkipped;
  skipped.reason = "no device";
  EXPECT_EQ(AssessThing(skipped, {}).status, Status::kSkipped);
  Trial crashed;
  crashed.ending = Ending::kCrashed;
  crashed.reason = "signal 11";
  const ProbeResult result = AssessThing(Finished(100, Constant, Constant, Constant), crashed);
  EXPECT_EQ(result.status, Status::kFailed);
  EXPECT_EQ(result.reason, "control: signal 11");
}

TEST(ExitCodeTest, TheGravestResultDecides) {
  auto code_of = [](std::vector<Status> statuses) {
    std::vector<ProbeResult> results;
    for (Status status : statuses) results.emplace_back().status = status;
    return ExitCodeOf(results);
  };
  EXPECT_EQ(code_of({Status::kFlat, Status::kSkipped}), kExitFlat);
  EXPECT_EQ(code_of({Status::kSkipped, Status::kSkipped}), kExitSkipped);
  EXPECT_EQ(code_of({Status::kFlat, Status::kUnsure}), kExitUnsure);
  EXPECT_EQ(code_of({Status::kUnsure, Status::kLeak, Status::kFlat}), kExitLeak);
  EXPECT_EQ(code_of({Status::kLeak, Status::kFailed}), kExitFailed);
}

}  // namespace
}  // namespace culprit::stress
