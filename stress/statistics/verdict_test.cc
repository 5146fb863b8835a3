// SPDX-License-Identifier: Apache-2.0
// Series with a known truth: constant, noisy, drifting, in steps, warming up. Chunked allocators
// are tried both ways: a leak may hide between two steps, and a step may be no leak.
#include "stress/statistics/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stress/testing/synthetic_series.h"

namespace culprit::stress {
namespace {

constexpr double kMiB = 1 << 20;
constexpr double kChunk = 2 * kMiB;

double Nothing(double) { return 0; }

TEST(VerdictTest, AConstantIsFlatAndSaysWhatItCouldHaveSeen) {
  const Judgement judgement =
      Judge(Readings(101, 20, Nothing), {.granularity = kChunk, .must_see = 8192});
  EXPECT_EQ(judgement.verdict, Verdict::kFlat);
  EXPECT_DOUBLE_EQ(judgement.detectable, 4 * kChunk / 2000);
}

TEST(VerdictTest, AConstantTooShortForTheChunkIsUnsureAndSaysHowLong) {
  const Judgement judgement =
      Judge(Readings(100, 1, Nothing), {.granularity = kChunk, .must_see = 4096});
  ASSERT_EQ(judgement.verdict, Verdict::kUnsure);
  EXPECT_GE(judgement.cycles_needed, 4 * kChunk / 4096);
  const double stride = judgement.cycles_needed / 100;
  EXPECT_EQ(
      Judge(Readings(101, stride, Nothing), {.granularity = kChunk, .must_see = 4096}).verdict,
      Verdict::kFlat);
}

TEST(VerdictTest, AnExactLeakIsFoundToTheByte) {
  const Judgement judgement = Judge(Readings(100, 5, [](double c) { return 640 * c; }), {});
  EXPECT_EQ(judgement.verdict, Verdict::kLeak);
  EXPECT_DOUBLE_EQ(judgement.line.slope, 640);
}

// What `detectable` promises: at that size and above, wherever in its chunk the leak starts.
TEST(VerdictTest, EveryLeakAboveTheDetectableSizeIsFoundThroughChunks) {
  const Question question{.granularity = kChunk};
  const double detectable = Judge(Readings(300, 10, Nothing), question).detectable;
  for (double size : {1.05, 1.5, 2.0, 3.7, 20.0}) {
    for (double phase = 0; phase < kChunk; phase += kChunk / 7) {
      const double bytes = size * detectable;
      const Series leak =
          InChunks(Readings(300, 10, [&](double c) { return bytes * c; }), kChunk, phase);
      const Judgement judgement = Judge(leak, question);
      EXPECT_EQ(judgement.verdict, Verdict::kLeak) << size << " at phase " << phase;
      EXPECT_LE(judgement.lower, bytes);
      EXPECT_GE(judgement.upper, bytes);
      EXPECT_EQ(judgement.kept_from, 0u);
    }
  }
}

TEST(VerdictTest, ALeakOfManyChunksIsMeasuredWithinATenth) {
  const Series leak =
      InChunks(Readings(200, 10, [](double c) { return 570425.0 * c; }), kChunk, 12345);
  const Judgement judgement = Judge(leak, {.granularity = kChunk});
  EXPECT_EQ(judgement.verdict, Verdict::kLeak);
  EXPECT_NEAR(judgement.line.slope, 570425, 57042);
}

TEST(VerdictTest, NoLeakBelowTheChunksIsCalledFlatAgainstAYardstick) {
  // Half of what can be seen: one to three stairs. Neither acquitted nor convicted.
  for (double phase = 0; phase < kChunk; phase += kChunk / 7) {
    const double bytes = 1.7 * kChunk / 3000;
    const Series leak =
        InChunks(Readings(300, 10, [&](double c) { return bytes * c; }), kChunk, phase);
    EXPECT_EQ(Judge(leak, {.granularity = kChunk, .must_see = bytes}).verdict, Verdict::kUnsure)
        << phase;
  }
}

TEST(VerdictTest, OneStepIsNoLeakWhereverItFalls) {
  for (double at = 50; at < 3000; at += 333) {
    const Series step = Readings(300, 10, [&](double c) { return c < at ? 0 : kChunk; });
    EXPECT_NE(Judge(step, {.granularity = kChunk, .must_see = 8192}).verdict, Verdict::kLeak) << at;
    EXPECT_NE(Judge(step, {.granularity = 4096}).verdict, Verdict::kLeak) << at;
  }
}

TEST(VerdictTest, OneEarlyStepStaysFlat) {
  const Series step = Readings(300, 10, [](double c) { return c < 200 ? 0 : kChunk; });
  EXPECT_EQ(Judge(step, {.granularity = kChunk, .must_see = 8192}).verdict, Verdict::kFlat);
}

TEST(VerdictTest, WarmUpIsNoLeak) {
  const Series warm =
      Readings(300, 10, [](double c) { return 64 * kMiB * (1 - std::exp(-c / 150)); });
  EXPECT_EQ(Judge(InChunks(warm, kChunk), {.granularity = kChunk, .must_see = 16384}).verdict,
            Verdict::kFlat);
}

TEST(VerdictTest, ALeakBehindWarmUpIsFoundWithItsOwnSize) {
  const Series both = Readings(300, 10, [](double c) { return std::min(c, 400.0) * 1e5 + 64 * c; });
  const Judgement judgement = Judge(both, {.granularity = 1});
  EXPECT_EQ(judgement.verdict, Verdict::kLeak);
  EXPECT_NEAR(judgement.line.slope, 64, 6.4);
  EXPECT_GT(judgement.kept_from, 0u);
}

TEST(VerdictTest, GrowthThatEndsIsNoLeak) {
  const Series ends = Readings(300, 10, [](double c) { return std::min(c, 1800.0) * 100; });
  EXPECT_NE(Judge(ends, {.granularity = 1}).verdict, Verdict::kLeak);
}

// Pools that remember the most they ever needed: a record is broken ever more seldom.
TEST(VerdictTest, AHighWaterMarkThatCreepsUpIsNoLeak) {
  for (double chunk : {1.0, 816.0, 4096.0}) {
    const Series creeping =
        InChunks(Readings(154, 13, [](double c) { return 5770 * std::log(1 + c); }), chunk);
    EXPECT_EQ(Judge(creeping, {.granularity = 1, .must_see = 8000}).verdict, Verdict::kFlat)
        << chunk;
    EXPECT_EQ(Judge(creeping, {.granularity = 1}).verdict, Verdict::kUnsure) << chunk;
  }
}

TEST(VerdictTest, GivingMemoryBackIsNoLeak) {
  const Series falling = Readings(300, 10, [](double c) { return 1e9 - 5000 * c; });
  EXPECT_EQ(Judge(falling, {.granularity = 1, .must_see = 100}).verdict, Verdict::kFlat);
}

TEST(VerdictTest, NoiseAloneIsFlatAndALeakInItIsFound) {
  int flat = 0;
  int found = 0;
  constexpr int kTrials = 60;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    const Series noise = WithNoise(Readings(200, 10, Nothing), 50000, seed);
    const Judgement judgement = Judge(noise, {.granularity = 4096, .must_see = 250});
    EXPECT_NE(judgement.verdict, Verdict::kLeak) << seed;
    flat += judgement.verdict == Verdict::kFlat ? 1 : 0;
    const double bytes = 1.2 * judgement.detectable;
    const Series leak =
        WithNoise(Readings(200, 10, [&](double c) { return bytes * c; }), 50000, seed);
    found += Judge(leak, {.granularity = 4096}).verdict == Verdict::kLeak ? 1 : 0;
  }
  EXPECT_GT(flat, kTrials * 0.9);
  EXPECT_GT(found, kTrials * 0.9);
}

TEST(VerdictTest, ARandomWalkIsHardlyEverALeak) {
  int leaks = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    leaks += Judge(RandomWalk(200, 10, 4096, seed), {.granularity = 4096}).verdict == Verdict::kLeak
                 ? 1
                 : 0;
  }
  EXPECT_LE(leaks, 15);
}

TEST(VerdictTest, ToleratedGrowthIsNoLeak) {
  const Series slow = Readings(100, 10, [](double c) { return 8 * c; });
  EXPECT_EQ(Judge(slow, {.granularity = 1, .tolerance = 16}).verdict, Verdict::kFlat);
  EXPECT_EQ(Judge(slow, {.granularity = 1, .tolerance = 4}).verdict, Verdict::kLeak);
}

TEST(VerdictTest, AFewReadingsAreNeverEnough) {
  for (int count : {0, 1, 2, 5, 11}) {
    const Judgement judgement = Judge(Readings(count, 1, [](double c) { return 1e6 * c; }), {});
    EXPECT_EQ(judgement.verdict, Verdict::kUnsure) << count;
    EXPECT_GE(judgement.cycles_needed, judgement.kept_cycles) << count;
  }
}

}  // namespace
}  // namespace culprit::stress
