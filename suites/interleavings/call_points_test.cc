// SPDX-License-Identifier: Apache-2.0
//
// Which driver calls are points. The driver here is a flag: whether the context is alive.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <thread>

#include "suites/interleavings/call_reach.h"
#include "suites/interleavings/causal_order.h"
#include "suites/interleavings/scheduler.h"

namespace culprit::interleavings {
namespace {

TEST(CallReachTest, OnlyTheStackOfContextsIsTheThreadsOwn) {
  for (const char* own : {"cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuCtxSetCurrent",
                          "cuCtxGetCurrent", "cuCtxPushCurrent"}) {
    EXPECT_EQ(ReachOf(own), CallReach::kOwnStack) << own;
  }
  for (const char* far : {"cuLaunchKernel", "cuMemFree_v2", "cuCtxSynchronize", "cuCtxCreate_v2",
                          "cuDriverGetVersion", "no entry at all"}) {
    EXPECT_EQ(ReachOf(far), CallReach::kDriver) << far;
  }
}

TEST(CallReachTest, WhatEndsAContextSaysSo) {
  for (const char* end : {"cuCtxDestroy_v2", "cuCtxDetach", "cuDevicePrimaryCtxRelease_v2",
                          "cuDevicePrimaryCtxReset", "cuGreenCtxDestroy"}) {
    EXPECT_EQ(ReachOf(end), CallReach::kEndsContext) << end;
  }
  EXPECT_EQ(ReachOf("cuStreamDestroy_v2"), CallReach::kDriver);
}

TEST(CausalOrderTest, AMutexPutsACallBeforeTheEnd) {
  CausalOrder order;
  order.Begin();
  order.Created(0, 1);
  const char mutex = 0;
  EXPECT_TRUE(order.NoteOwnStackCall(1));
  order.Released(1, &mutex);
  order.Acquired(0, &mutex);
  EXPECT_TRUE(order.NoteContextEnd(0));
  EXPECT_FALSE(order.NoteOwnStackCall(1)) << "made beside the end";
}

TEST(CausalOrderTest, WhatComesAfterTheReleaseIsNotHandedOn) {
  CausalOrder order;
  order.Begin();
  order.Created(0, 1);
  const char mutex = 0;
  order.Released(1, &mutex);
  EXPECT_TRUE(order.NoteOwnStackCall(1));
  order.Acquired(0, &mutex);
  EXPECT_FALSE(order.NoteContextEnd(0));
}

TEST(CausalOrderTest, BeginningsAndEndsOfThreadsAreInOrder) {
  CausalOrder order;
  order.Begin();
  EXPECT_TRUE(order.NoteContextEnd(0));
  order.Created(0, 1);
  EXPECT_TRUE(order.NoteOwnStackCall(1));
  order.Handed(1, 0);
  EXPECT_TRUE(order.NoteContextEnd(0));
}

TEST(CausalOrderTest, AThreadIsInOrderWithItself) {
  CausalOrder order;
  order.Begin();
  EXPECT_TRUE(order.NoteOwnStackCall(0));
  EXPECT_TRUE(order.NoteContextEnd(0));
  EXPECT_TRUE(order.NoteOwnStackCall(0));
}

// Depth first as the exploration does it: from the beginning when more calls have become points.
struct Explored {
  std::set<std::string> outcomes;
  CallPoints points = CallPoints::kNone;
};
Explored Explore(const std::function<std::string(Scheduler&)>& worker,
                 const std::function<void(Scheduler&)>& main) {
  Scheduler scheduler;
  Explored explored;
  auto strategy = DepthFirst(2, 10000);
  while (strategy->Next()) {
    scheduler.Begin(*strategy, [](const std::string& who) { throw std::runtime_error(who); });
    std::string seen;
    const ThreadId id = scheduler.Created();
    std::thread thread([&] {
      scheduler.Started(id);
      seen = worker(scheduler);
      scheduler.Finished();
    });
    scheduler.Point();
    main(scheduler);
    scheduler.Join(id);
    thread.join();
    scheduler.End();
    explored.outcomes.insert(seen);
    if (scheduler.MoreCallsBecamePoints()) strategy = DepthFirst(2, 10000);
  }
  EXPECT_TRUE(strategy->Exhausted());
  explored.points = scheduler.call_points();
  return explored;
}

class CallPointsTest : public testing::Test {
 protected:
  // Two calls that see whether the context is alive.
  std::string LookTwice(Scheduler& scheduler, CallReach reach) {
    std::string seen;
    for (int i = 0; i < 2; ++i) {
      scheduler.PointAtCall(reach);
      seen += alive_ ? "alive " : "ended ";
    }
    return seen;
  }
  void End(Scheduler& scheduler, CallReach reach) {
    scheduler.PointAtCall(reach);
    alive_ = false;
  }

  bool alive_ = true;
  const char mutex_ = 0;
};

TEST_F(CallPointsTest, AnEndBesideCallsOnTheOwnStackComesBetweenThemToo) {
  const Explored explored = Explore(
      [&](Scheduler& scheduler) {
        alive_ = true;
        scheduler.PointAtCall(CallReach::kDriver);
        return LookTwice(scheduler, CallReach::kOwnStack);
      },
      [&](Scheduler& scheduler) { End(scheduler, CallReach::kEndsContext); });
  EXPECT_EQ(explored.points, CallPoints::kAll);
  EXPECT_TRUE(explored.outcomes.contains("alive ended ")) << explored.outcomes.size();
}

TEST_F(CallPointsTest, WithoutAnEndCallsOnTheOwnStackAreNoPoints) {
  const Explored explored = Explore(
      [&](Scheduler& scheduler) {
        alive_ = true;
        return LookTwice(scheduler, CallReach::kOwnStack);
      },
      [&](Scheduler& scheduler) { End(scheduler, CallReach::kDriver); });
  EXPECT_EQ(explored.points, CallPoints::kBeyondOwnStack);
  EXPECT_TRUE(explored.outcomes.contains("alive alive "));
  EXPECT_FALSE(explored.outcomes.contains("alive ended "));
}

TEST_F(CallPointsTest, AnEndThatAMutexPutsBehindThemLeavesThemNoPoints) {
  bool looked = false;
  const Explored explored = Explore(
      [&](Scheduler& scheduler) {
        alive_ = true;
        std::string seen = LookTwice(scheduler, CallReach::kOwnStack);
        scheduler.Lock(&mutex_);
        looked = true;
        scheduler.Unlock(&mutex_);
        return seen;
      },
      [&](Scheduler& scheduler) {
        scheduler.Lock(&mutex_);
        const bool end = std::exchange(looked, false);
        scheduler.Unlock(&mutex_);
        if (end) End(scheduler, CallReach::kEndsContext);
      });
  EXPECT_EQ(explored.points, CallPoints::kBeyondOwnStack);
  EXPECT_EQ(explored.outcomes, std::set<std::string>{"alive alive "});
}

TEST_F(CallPointsTest, CallsThatReachTheDriverArePointsOnceTwoThreadsMakeThem) {
  const Explored explored = Explore(
      [&](Scheduler& scheduler) {
        alive_ = true;
        return LookTwice(scheduler, CallReach::kDriver);
      },
      [&](Scheduler& scheduler) { End(scheduler, CallReach::kDriver); });
  EXPECT_EQ(explored.points, CallPoints::kBeyondOwnStack);
  EXPECT_TRUE(explored.outcomes.contains("alive ended "));
}

}  // namespace
}  // namespace culprit::interleavings
