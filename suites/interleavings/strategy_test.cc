// SPDX-License-Identifier: Apache-2.0
//
// Strategies on a program that is two counters: two threads of `steps` steps each, which can go on
// until they have made them.
#include "suites/interleavings/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "input/input_error.h"

namespace culprit::interleavings {
namespace {

// The order of the steps, as text: "0011".
std::string RunOnce(Strategy& strategy, int steps) {
  std::array<int, 2> left = {steps, steps};
  ThreadId current = 0;
  std::string order;
  while (left[0] + left[1] != 0) {
    std::vector<ThreadId> runnable;
    for (ThreadId i = 0; i < 2; ++i) {
      if (left[i] != 0) runnable.push_back(i);
    }
    current = runnable.size() == 1 ? runnable.front()
                                   : strategy.Choose({runnable, current, left[current] != 0});
    --left[current];
    order += static_cast<char>('0' + current);
  }
  return order;
}

std::multiset<std::string> AllOrders(Strategy& strategy, int steps) {
  std::multiset<std::string> orders;
  while (strategy.Next()) orders.insert(RunOnce(strategy, steps));
  return orders;
}

TEST(DepthFirstTest, WithoutABoundThatBindsItRunsEveryOrderOnce) {
  const auto strategy = DepthFirst(100, 1000);
  const auto orders = AllOrders(*strategy, 3);
  EXPECT_EQ(orders.size(), 20U) << "6 over 3";
  EXPECT_EQ(std::set<std::string>(orders.begin(), orders.end()).size(), 20U);
  EXPECT_TRUE(strategy->Exhausted());
}

TEST(DepthFirstTest, KeepsToTheBoundAndCoversAllWithinIt) {
  const auto strategy = DepthFirst(1, 1000);
  const auto orders = AllOrders(*strategy, 3);
  // At the first step neither thread has begun: thread 0 is current, and taking thread 1 preempts.
  EXPECT_THAT(orders, testing::UnorderedElementsAre("000111", "001110", "011100", "111000"));
}

TEST(DepthFirstTest, SaysThatItIsNotDoneWhenItMayRunNoMore) {
  const auto strategy = DepthFirst(100, 5);
  EXPECT_EQ(AllOrders(*strategy, 3).size(), 5U);
  EXPECT_FALSE(strategy->Exhausted());
}

TEST(RandomTest, TheSameSeedIsTheSameRuns) {
  EXPECT_EQ(AllOrders(*Random(7, 50), 4), AllOrders(*Random(7, 50), 4));
  EXPECT_NE(AllOrders(*Random(7, 50), 4), AllOrders(*Random(8, 50), 4));
}

TEST(RandomTest, ReachesEveryOrder) {
  const auto orders = AllOrders(*Random(1, 2000), 3);
  EXPECT_EQ(std::set<std::string>(orders.begin(), orders.end()).size(), 20U);
}

TEST(ProbabilisticTest, OfDepthOneItNeverChangesItsMind) {
  for (const std::string& order : AllOrders(*Probabilistic(3, 1, 50), 3)) {
    EXPECT_TRUE(order == "000111" || order == "111000") << order;
  }
}

TEST(ProbabilisticTest, OfDepthTwoItFindsEveryPlaceForOneChange) {
  const auto orders = AllOrders(*Probabilistic(3, 2, 500), 3);
  EXPECT_TRUE(orders.contains("011100"));
  EXPECT_TRUE(orders.contains("100011"));
}

TEST(FixedTest, FollowsAScheduleAsFarAsItGoes) {
  const auto strategy = Fixed(Schedule::Parse("1*2 0"));
  ASSERT_TRUE(strategy->Next());
  EXPECT_EQ(RunOnce(*strategy, 3), "110001");
  EXPECT_FALSE(strategy->Next());
}

TEST(ScheduleTest, IsTextAndBack) {
  const Schedule schedule{{0, 0, 0, 1, 2, 2}};
  EXPECT_EQ(schedule.Text(), "0*3 1 2*2");
  EXPECT_EQ(Schedule::Parse(schedule.Text()), schedule);
  const Schedule every{{0, 1}, CallPoints::kAll};
  EXPECT_EQ(every.Text(), "every-call 0 1");
  EXPECT_EQ(Schedule::Parse(every.Text()), every);
  const Schedule some{{0, 1}, CallPoints::kBeyondOwnStack};
  EXPECT_EQ(some.Text(), "calls 0 1");
  EXPECT_EQ(Schedule::Parse(some.Text()), some);
  for (const char* bad : {"x", "0*", "0*2x", "*3", "1 y"}) {
    EXPECT_THROW(Schedule::Parse(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace culprit::interleavings
