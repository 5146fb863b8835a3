// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/theil_sen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stress/testing/synthetic_series.h"

namespace culprit::stress {
namespace {

TEST(TheilSenTest, AStraightLineIsFoundExactly) {
  const Line line = FitTheilSen(Readings(50, 10, [](double c) { return 3 + 7 * c; }), 0.99);
  EXPECT_DOUBLE_EQ(line.slope, 7);
  EXPECT_DOUBLE_EQ(line.intercept, 3);
  EXPECT_DOUBLE_EQ(line.lower, 7);
  EXPECT_DOUBLE_EQ(line.upper, 7);
  EXPECT_DOUBLE_EQ(line.At(10), 73);
}

TEST(TheilSenTest, AConstantHasSlopeZeroForCertain) {
  const Line line = FitTheilSen(Readings(50, 1, [](double) { return 5; }), 0.999);
  EXPECT_EQ(line.slope, 0);
  EXPECT_EQ(line.lower, 0);
  EXPECT_EQ(line.upper, 0);
}

TEST(TheilSenTest, AQuarterOfWildReadingsDoesNotBendTheLine) {
  Series series = Readings(100, 1, [](double c) { return 2 * c; });
  for (size_t i = 75; i < 100; ++i) series[i].value = 1e6;
  EXPECT_LT(FitTheilSen(series, 0.99).slope, 1e4);
  for (size_t i = 75; i < 100; ++i) series[i].value = 2.0 * i;
  for (size_t i = 0; i < 100; i += 4) series[i].value += 1e6;
  EXPECT_NEAR(FitTheilSen(series, 0.99).slope, 2, 0.5);
}

TEST(TheilSenTest, TwoReadingsGiveASlopeWithoutBounds) {
  const Line line = FitTheilSen(Series{{0, 0}, {10, 5}}, 0.95);
  EXPECT_EQ(line.slope, 0.5);
  EXPECT_TRUE(std::isinf(line.lower));
  EXPECT_TRUE(std::isinf(line.upper));
}

TEST(TheilSenTest, TheIntervalHoldsTheTruthAsOftenAsItSays) {
  int held = 0;
  constexpr int kTrials = 400;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    const Line line =
        FitTheilSen(WithNoise(Readings(60, 1, [](double c) { return 0.5 * c; }), 4, seed), 0.9);
    held += line.lower <= 0.5 && 0.5 <= line.upper ? 1 : 0;
  }
  EXPECT_GT(held, kTrials * 0.85);
  EXPECT_LT(held, kTrials * 0.97);
}

TEST(TheilSenTest, MemoryInTheNoiseWidensTheInterval) {
  int trends = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Line line = FitTheilSen(RandomWalk(200, 1, 1, seed), 0.999);
    EXPECT_GT(line.variance_factor, 1);
    trends += line.lower > 0 || line.upper < 0 ? 1 : 0;
  }
  // Without the correction four walks in five would pass for a trend. The rest of the way is
  // the wander's, see wander.h.
  EXPECT_LT(trends, 60);
}

TEST(TheilSenTest, QuantilesAreThoseOfTheNormalDistribution) {
  EXPECT_NEAR(TwoSidedNormalQuantile(0.95), 1.959964, 1e-5);
  EXPECT_NEAR(TwoSidedNormalQuantile(0.999), 3.290527, 1e-5);
}

TEST(MedianTest, OfAnEvenCountIsTheMeanOfTheMiddleTwo) {
  std::vector<double> values{4, 1, 3, 2};
  EXPECT_EQ(Median(values), 2.5);
  std::vector<double> one{9};
  EXPECT_EQ(Median(one), 9);
  EXPECT_EQ(Median({}), 0);
}

}  // namespace
}  // namespace culprit::stress
