// SPDX-License-Identifier: Apache-2.0
//
// The wrong repair of the threaded flush, seen in one number: on clip b176_8, with batches of 16,
// frame 31 is the last pending boundary. Its motion2 is the next frame's distance; without the
// minimum it is its own.
#include <gtest/gtest.h>

#include "reference_impl/callers/port_library.h"
#include "reference_impl/callers/score_run.h"
#include "reference_impl/clip/generated_source.h"

namespace culprit::reference {
namespace {

constexpr uint32_t kBoundary = 31;
constexpr const char* kMotion2 = "loopback_integer_motion2";

FirstFailure ScoreWith(const std::string& port, uint32_t threads, Scores* scores) {
  PortLibrary library;
  std::string problem;
  EXPECT_TRUE(library.Open(port, &problem)) << problem;
  const ClipSpec& clip = *FindClip("b176_8");
  ScoreRequest request;
  request.geometry = clip.geometry;
  request.threads = threads;
  request.device = false;
  request.extractors = {"motion_loopback"};
  return RunScore(library.port(), request, GeneratedSource(clip), scores);
}

TEST(BoundaryFrame, HasTheMinimumSerialAndThreaded) {
  for (const uint32_t threads : {0u, 1u, 2u, 4u, 8u}) {
    Scores scores;
    EXPECT_FALSE(ScoreWith(CULPRIT_REFERENCE_PORT, threads, &scores).failed());
    ASSERT_EQ(scores[kMotion2].size(), 48u);
    EXPECT_NEAR(scores[kMotion2][kBoundary], 20.860, 0.0005) << threads;
  }
}

TEST(BoundaryFrame, LosesTheMinimumWhenTheCollectIsSkipped) {
  Scores right;
  Scores wrong;
  EXPECT_FALSE(ScoreWith(CULPRIT_REFERENCE_PORT, 2, &right).failed());
  EXPECT_FALSE(ScoreWith(CULPRIT_SKIPPING_PORT, 2, &wrong).failed()) << "the defect is silent";
  EXPECT_NEAR(wrong[kMotion2][kBoundary], 21.193, 0.0005);
  for (auto& [key, values] : wrong) {
    for (uint32_t frame = 0; frame < values.size(); ++frame) {
      const bool damaged = frame == kBoundary && key != "loopback_integer_motion";
      EXPECT_EQ(values[frame] != right[key][frame], damaged) << key << " of frame " << frame;
    }
  }
}

TEST(BoundaryFrame, IsWrittenTwiceWhenTheCollectFollowsTheFlush) {
  Scores scores;
  const FirstFailure failure = ScoreWith(CULPRIT_DUPLICATING_PORT, 2, &scores);
  EXPECT_EQ(failure.error(), -EINVAL);
  EXPECT_EQ(failure.status().domain, CULPRIT_DOMAIN_EXTRACTOR);
  EXPECT_NE(failure.Text().find("was written already"), std::string::npos) << failure.Text();
}

}  // namespace
}  // namespace culprit::reference
