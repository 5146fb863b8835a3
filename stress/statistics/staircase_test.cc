// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/staircase.h"

#include <gtest/gtest.h>

#include "stress/testing/synthetic_series.h"

namespace culprit::stress {
namespace {

constexpr double kMiB = 1 << 20;

TEST(StaircaseTest, TheChunkIsReadOffTheRises) {
  const Series leak = Readings(200, 1, [](double c) { return 40000 * c; });
  const Staircase staircase = DescribeStaircase(InChunks(leak, 2 * kMiB), 4096);
  EXPECT_TRUE(staircase.stepped);
  EXPECT_EQ(staircase.chunk, 2 * kMiB);
  EXPECT_EQ(staircase.rises, 4);
}

TEST(StaircaseTest, AKnownGranularityIsNeverUndercut) {
  const Series flat = Readings(50, 1, [](double) { return 0; });
  EXPECT_EQ(DescribeStaircase(flat, 2 * kMiB).chunk, 2 * kMiB);
  EXPECT_EQ(DescribeStaircase(flat, 2 * kMiB).rises, 0);
}

TEST(StaircaseTest, OneOddChunkAmongManyIsNotTheRule) {
  Series series = InChunks(Readings(400, 1, [](double c) { return 400 * c; }), 4096);
  for (size_t i = 300; i < series.size(); ++i) series[i].value += 64 * kMiB;
  EXPECT_LE(DescribeStaircase(series, 4096).chunk, 8192);
}

TEST(StaircaseTest, SpikesThatFallBackAreNoNewHeights) {
  Series series = Readings(100, 1, [](double) { return 0; });
  for (size_t i = 10; i < 100; i += 10) series[i].value = kMiB;
  EXPECT_EQ(DescribeStaircase(series, 1).rises, 1);
}

TEST(StaircaseTest, SteadyGrowthIsNoStaircase) {
  const Staircase dense = DescribeStaircase(Readings(50, 1, [](double c) { return 640 * c; }), 1);
  EXPECT_FALSE(dense.stepped);
  EXPECT_EQ(dense.chunk, 1);
  EXPECT_EQ(dense.rises, 49);
}

}  // namespace
}  // namespace culprit::stress
