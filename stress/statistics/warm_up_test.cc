// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/warm_up.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stress/testing/synthetic_series.h"

namespace culprit::stress {
namespace {

constexpr double kMiB = 1 << 20;

TEST(WarmUpTest, SteadySeriesHaveNone) {
  EXPECT_EQ(FindWarmUpEnd(Readings(100, 1, [](double) { return 3; }), 1), 0u);
  EXPECT_EQ(FindWarmUpEnd(Readings(100, 1, [](double c) { return 9 * c; }), 1), 0u);
  EXPECT_EQ(FindWarmUpEnd({}, 1), 0u);
}

TEST(WarmUpTest, CachesThatFillAreCutOff) {
  const Series filling = Readings(200, 1, [](double c) { return std::min(c, 40.0) * 5e5; });
  const size_t end = FindWarmUpEnd(filling, 4096);
  EXPECT_GE(end, 38u);
  EXPECT_LE(end, 45u);
}

TEST(WarmUpTest, GrowthThatBendsIsCutMoreThanOnce) {
  const Series bending = Readings(200, 1, [](double c) { return 5e7 * (1 - std::exp(-c / 10)); });
  const size_t end = FindWarmUpEnd(bending, 4096);
  EXPECT_GE(end, 20u);
  EXPECT_LE(end, 100u);
}

TEST(WarmUpTest, ALeakBehindWarmUpKeepsItsPace) {
  const Series both = Readings(200, 1, [](double c) { return std::min(c, 30.0) * 1e6 + 2000 * c; });
  const size_t end = FindWarmUpEnd(both, 1);
  EXPECT_GE(end, 28u);
  EXPECT_LE(end, 40u);
}

TEST(WarmUpTest, TheLastStairOfALeakIsNotTakenForTheSteadyState) {
  for (double steps : {3.0, 4.0, 6.0, 9.0}) {
    const Series leak =
        InChunks(Readings(300, 1, [&](double c) { return steps * 2 * kMiB * c / 300; }), 2 * kMiB,
                 0.3 * kMiB);
    EXPECT_EQ(FindWarmUpEnd(leak, 2 * kMiB), 0u) << steps;
  }
}

TEST(WarmUpTest, NoMoreThanHalfIsGivenUp) {
  const Series late = Readings(200, 1, [](double c) { return c < 150 ? 0 : 1e9; });
  EXPECT_LE(FindWarmUpEnd(late, 1), 100u);
}

}  // namespace
}  // namespace culprit::stress
