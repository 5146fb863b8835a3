// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/fault/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "fakedriver/core/injection.h"
#include "fakedriver/core/watching.h"
#include "fakedriver/fault/plan.h"

namespace culprit::fakedriver::fault {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() { Clear(); }
  ~EngineTest() override { Clear(); }

  void Plans(const std::string& text) {
    std::string error;
    auto faults = ParsePlan(text, "plan", &error);
    ASSERT_TRUE(faults) << error;
    for (Fault& fault : *faults) Plan(std::move(fault));
  }

  // One call of the entry; what it would return, success if no fault has an error for it.
  CUresult Call(ApiId api, uint32_t thread = 1, bool may_fire = true) {
    last_ = Decide(CallInProgress{.api = api}, thread, may_fire);
    if (last_.before) return *last_.before;
    return last_.after.value_or(CUDA_SUCCESS);
  }

  // Which of the next `count` calls fail, as "..x.".
  std::string Pattern(ApiId api, int count) {
    std::string pattern;
    for (int i = 0; i < count; ++i) pattern += Call(api) == CUDA_SUCCESS ? '.' : 'x';
    return pattern;
  }

  Decision last_;
};

TEST_F(EngineTest, NothingIsPlannedAtFirst) {
  EXPECT_FALSE(AnybodyWatches());
  EXPECT_EQ(Pattern(ApiId::cuInit, 3), "...");
}

TEST_F(EngineTest, NthFiresOnce) {
  Plans("- {entry: cuEventCreate, nth: 3, before: 2}");
  EXPECT_TRUE(Watches(Watcher::kFaults));
  EXPECT_EQ(Pattern(ApiId::cuEventCreate, 6), "..x...");
  EXPECT_EQ(TimesFired(1), 1);
}

TEST_F(EngineTest, StickyFiresUntilLifted) {
  Plans("- {entry: cuEventCreate, nth: 2, sticky: true, before: 2}");
  EXPECT_EQ(Pattern(ApiId::cuEventCreate, 4), ".xxx");
  EXPECT_TRUE(Lift(1));
  EXPECT_EQ(Pattern(ApiId::cuEventCreate, 2), "..");
  EXPECT_EQ(TimesFired(1), 3);
  EXPECT_FALSE(AnybodyWatches());
}

TEST_F(EngineTest, TimesEveryAndSkipCombine) {
  Plans("- {entry: cuEventCreate, skip: 1, every: 2, times: 2, before: 2}");
  EXPECT_EQ(Pattern(ApiId::cuEventCreate, 8), "..x.x...");
}

TEST_F(EngineTest, OtherEntriesNeitherCountNorFail) {
  Plans("- {entry: cuEventCreate, nth: 2, before: 2}");
  EXPECT_EQ(Call(ApiId::cuEventCreate), CUDA_SUCCESS);
  EXPECT_EQ(Pattern(ApiId::cuStreamCreate, 3), "...");
  EXPECT_EQ(Call(ApiId::cuEventCreate), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(EngineTest, AFamilyIsOneSite) {
  Plans("- {family: stream, nth: 2, before: 2}");
  EXPECT_EQ(Call(ApiId::cuStreamCreate), CUDA_SUCCESS);
  EXPECT_EQ(Call(ApiId::cuStreamQuery), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(EngineTest, AThreadIsASiteOfItsOwn) {
  Plans("- {entry: cuEventCreate, thread: 2, nth: 2, before: 2}");
  EXPECT_EQ(Call(ApiId::cuEventCreate, 2), CUDA_SUCCESS);
  EXPECT_EQ(Call(ApiId::cuEventCreate, 1), CUDA_SUCCESS);
  EXPECT_EQ(Call(ApiId::cuEventCreate, 2), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(EngineTest, ACallThatTheGateRefusesCountsButDoesNotFire) {
  Plans("- {entry: cuEventCreate, nth: 1, before: 2}");
  EXPECT_EQ(Call(ApiId::cuEventCreate, 1, false), CUDA_SUCCESS);
  EXPECT_EQ(Call(ApiId::cuEventCreate, 1, true), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(EngineTest, TheFirstPlannedErrorWinsAndDelaysAddUp) {
  Plans(
      "- {entry: cuEventCreate, delay: 2ms}\n"
      "- {entry: cuEventCreate, delay: 3ms, before: 700}\n"
      "- {entry: cuEventCreate, before: 2}\n");
  EXPECT_EQ(Call(ApiId::cuEventCreate), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(last_.delay, std::chrono::milliseconds(5));
}

TEST_F(EngineTest, ALateErrorSurfacesAtTheChosenCall) {
  Plans(
      "- {entry: cuLaunchKernel, nth: 2, later: 719, surfaces_at: {entry: cuStreamSynchronize, "
      "nth: 2}}");
  EXPECT_EQ(Call(ApiId::cuStreamSynchronize), CUDA_SUCCESS);
  EXPECT_EQ(Pattern(ApiId::cuLaunchKernel, 2), "..");
  EXPECT_EQ(TimesFired(1), 0);
  EXPECT_EQ(Pattern(ApiId::cuStreamSynchronize, 4), ".x..");
  EXPECT_EQ(TimesFired(1), 1);
}

TEST_F(EngineTest, ALateErrorThatNeverSurfacedIsUnfired) {
  Plans("- {entry: cuLaunchKernel, nth: 1, later: 719, surfaces_at: {entry: cuStreamSynchronize}}");
  EXPECT_EQ(Call(ApiId::cuLaunchKernel), CUDA_SUCCESS);
  EXPECT_THAT(UnfiredFaults(), SizeIs(1));
}

TEST_F(EngineTest, ProbabilityIsTheSameForTheSameSeedOnly) {
  Plans("{seed: 1, faults: [{entry: cuEventCreate, probability: 0.3, before: 2}]}");
  const std::string first = Pattern(ApiId::cuEventCreate, 1000);
  Clear();
  Plans("{seed: 1, faults: [{entry: cuEventCreate, probability: 0.3, before: 2}]}");
  EXPECT_EQ(Pattern(ApiId::cuEventCreate, 1000), first);
  Clear();
  Plans("{seed: 2, faults: [{entry: cuEventCreate, probability: 0.3, before: 2}]}");
  EXPECT_NE(Pattern(ApiId::cuEventCreate, 1000), first);
  const auto failures = std::count(first.begin(), first.end(), 'x');
  EXPECT_GT(failures, 230);
  EXPECT_LT(failures, 370);
}

TEST_F(EngineTest, ActiveIsDrawnOncePerFault) {
  std::string plan = "{seed: 4, faults: [";
  for (int i = 0; i < 200; ++i)
    plan += "{entry: cuEventCreate, active: 0.25, times: 1, before: 2},";
  Plans(plan + "]}");
  const std::string pattern = Pattern(ApiId::cuEventCreate, 200);
  const auto active = std::count(pattern.begin(), pattern.end(), 'x');
  // Each active fault fires at the first call, where only the first of them decides the error.
  EXPECT_EQ(active, 1);
  int fired = 0;
  for (int id = 1; id <= 200; ++id) fired += TimesFired(id) != 0;
  EXPECT_GT(fired, 30);
  EXPECT_LT(fired, 75);
  EXPECT_THAT(UnfiredFaults(), IsEmpty());
}

TEST_F(EngineTest, UnfiredFaultsAreNamedWithWhatMatched) {
  Plans(
      "- {name: never, entry: cuEventCreate, nth: 5, before: 2}\n"
      "- {entry: cuEventCreate, nth: 5, before: 2, optional: true}\n"
      "- {entry: cuEventCreate, nth: 1, before: 2}\n");
  Pattern(ApiId::cuEventCreate, 3);
  const auto unfired = UnfiredFaults();
  ASSERT_THAT(unfired, SizeIs(1));
  EXPECT_EQ(unfired[0].name, "never");
  EXPECT_EQ(unfired[0].matched, 3u);
}

TEST_F(EngineTest, AFiringThatWasTakenBackDoesNotCount) {
  Plans("- {entry: cuEventCreate, nth: 1, after: 2}");
  EXPECT_EQ(Call(ApiId::cuEventCreate), CUDA_ERROR_OUT_OF_MEMORY);
  TakeBack(last_.fault);
  EXPECT_EQ(TimesFired(1), 0);
}

TEST_F(EngineTest, ABudgetIsSetWhilePlannedAndCountsRefusals) {
  Plans("- {memory_budget: 4KiB}");
  EXPECT_EQ(DeviceMemoryBudget(), 4096u);
  EXPECT_THAT(UnfiredFaults(), SizeIs(1));
  NoteBudgetRefusal();
  EXPECT_EQ(TimesFired(1), 1);
  EXPECT_TRUE(Lift(1));
  EXPECT_EQ(DeviceMemoryBudget(), kNoBudget);
}

TEST_F(EngineTest, ABlockedCallGoesOnWhenTheFaultIsLifted) {
  Plans("- {entry: cuStreamSynchronize, block: true}");
  Call(ApiId::cuStreamSynchronize);
  ASSERT_EQ(last_.block, 1);
  std::thread blocked([] { WaitUntilLifted(1); });
  Lift(1);
  blocked.join();
  EXPECT_EQ(TimesFired(1), 1);
}

extern "C" __attribute__((noinline, visibility("default"))) bool CulpritTestCallsInit() {
  const CallInProgress call{.api = ApiId::cuInit};
  return Decide(call, 1, true).before.has_value();
}

TEST_F(EngineTest, ASiteCanBeAFunctionOnTheCallStack) {
  Plans("- {entry: cuInit, below: CulpritTestCallsInit, sticky: true, before: 2}");
  EXPECT_EQ(Call(ApiId::cuInit), CUDA_SUCCESS);
  EXPECT_TRUE(CulpritTestCallsInit());
}

TEST_F(EngineTest, UnknownIdsAreRefused) {
  EXPECT_EQ(TimesFired(1), -1);
  EXPECT_FALSE(Lift(0));
  EXPECT_FALSE(Lift(7));
}

}  // namespace
}  // namespace culprit::fakedriver::fault
