// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/motion_timeline.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace culprit::reference {
namespace {

class MotionTimelineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    MotionOptions options;
    ASSERT_TRUE(ReadMotionOptions({}, "integer_", &options).ok());
    timeline.Start(options);
  }
  void Append(double motion) { EXPECT_TRUE(timeline.Append(next++, motion, collector).ok()); }
  double Motion2(uint32_t frame) {
    double value = -1;
    EXPECT_TRUE(collector.Get("integer_motion2", frame, &value).ok()) << frame;
    return value;
  }
  bool Knows(uint32_t frame) {
    double value = 0;
    return collector.Get("integer_motion2", frame, &value).ok();
  }
  uint32_t next = 0;
  MotionTimeline timeline;
  FeatureCollector collector;
};

TEST_F(MotionTimelineTest, AFrameWaitsForTheOneAfterIt) {
  Append(0);
  Append(5);
  EXPECT_FALSE(Knows(1));
  Append(3);
  EXPECT_EQ(Motion2(1), 3);
  EXPECT_TRUE(timeline.pending());
}

TEST_F(MotionTimelineTest, TheLastFrameKeepsItsOwn) {
  for (const double motion : {0.0, 5.0, 7.0}) Append(motion);
  EXPECT_TRUE(timeline.CloseLast(collector).ok());
  EXPECT_EQ(Motion2(2), 7);
  EXPECT_FALSE(timeline.pending());
}

TEST_F(MotionTimelineTest, ABoundaryMeetsASuccessorThatIsNotAppendedYet) {
  for (const double motion : {0.0, 5.0}) Append(motion);
  EXPECT_TRUE(timeline.MeetSuccessor(2, collector).ok());
  EXPECT_EQ(Motion2(1), 2);
  Append(2);
  EXPECT_TRUE(timeline.CloseLast(collector).ok());
  EXPECT_EQ(Motion2(2), 2);
}

TEST_F(MotionTimelineTest, ClosingABoundaryTooEarlyLosesTheMinimum) {
  for (const double motion : {0.0, 5.0}) Append(motion);
  EXPECT_TRUE(timeline.CloseLast(collector).ok());
  Append(2);
  EXPECT_EQ(Motion2(1), 5);
}

TEST_F(MotionTimelineTest, RefusesAFrameOutOfTurn) {
  Append(0);
  EXPECT_EQ(timeline.Append(0, 1, collector).code(), -EINVAL);
  EXPECT_EQ(timeline.Append(2, 1, collector).code(), -EINVAL);
}

TEST_F(MotionTimelineTest, OneFrameAloneIsZero) {
  Append(0);
  EXPECT_TRUE(timeline.CloseLast(collector).ok());
  double motion3 = -1;
  EXPECT_TRUE(collector.Get("integer_motion3", 0, &motion3).ok());
  EXPECT_EQ(motion3, 0);
  EXPECT_EQ(Motion2(0), 0);
}

}  // namespace
}  // namespace culprit::reference
