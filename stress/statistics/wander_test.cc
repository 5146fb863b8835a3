// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/wander.h"

#include <gtest/gtest.h>

#include "stress/testing/synthetic_series.h"

namespace culprit::stress {
namespace {

TEST(WanderTest, OfAWalkIsItsStepTimesTheRootOfItsLength) {
  // 400 steps of deviation 10, a cycle each: the end strays by 10 * 20 over 400 cycles.
  double sum = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const double wander = WanderPerCycle(RandomWalk(400, 1, 10, seed), 0);
    sum += wander * wander;
  }
  EXPECT_NEAR(sum / 100, 0.5 * 0.5, 0.12);
}

TEST(WanderTest, OfNoiseThatForgetsIsSmall) {
  double sum = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    sum += WanderPerCycle(WithNoise(Readings(400, 1, [](double) { return 0; }), 10, seed), 0);
  }
  EXPECT_LT(sum / 100, 0.02);
}

TEST(WanderTest, AStraightLineHasNone) {
  EXPECT_EQ(WanderPerCycle(Readings(100, 1, [](double c) { return 5 * c; }), 5), 0);
}

TEST(WanderTest, TooFewReadingsSayNothing) {
  EXPECT_EQ(WanderPerCycle(RandomWalk(20, 1, 10, 1), 0), 0);
}

}  // namespace
}  // namespace culprit::stress
