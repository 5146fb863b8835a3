// SPDX-License-Identifier: Apache-2.0
//
// Every extractor that needs no driver, against the golden scores: every clip, every set of
// options, every frame, every key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_impl/extractor/registry.h"
#include "reference_impl/testing/golden_scores.h"

namespace culprit::reference {
namespace {

using testing::Compare;
using testing::Difference;
using testing::GoldenFeature;
using testing::ReadGolden;
using testing::ScoreClip;

struct Followed {
  const char* feature;    // of the golden files
  const char* extractor;  // of the registry
  double tolerance;
};
constexpr Followed kFollowed[] = {
    {"motion", "motion_cpu", 0},
    {"motion", "motion_loopback", 0},
    {"psnr", "psnr_cpu", 0},
};

// An aggregate of the whole clip, which is not a score of a frame.
void DropAggregates(Options* options) { options->erase("enable_apsnr"); }

class GoldenScores : public ::testing::TestWithParam<std::tuple<Followed, const char*, uint32_t>> {
};

TEST_P(GoldenScores, AreMetFrameByFrame) {
  const auto& [followed, clip_name, threads] = GetParam();
  const ClipSpec* clip = FindClip(clip_name);
  ASSERT_NE(clip, nullptr);
  int compared = 0;
  for (GoldenFeature& golden : ReadGolden(CULPRIT_GOLDEN_FOLDER, clip_name)) {
    if (golden.name != followed.feature) continue;
    DropAggregates(&golden.options);
    SCOPED_TRACE(::testing::PrintToString(golden.options));
    const Difference difference = Compare(
        golden.scores, ScoreClip(*clip, followed.extractor, golden.options, threads, nullptr));
    EXPECT_LE(difference.largest, followed.tolerance) << difference.where;
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

std::string CaseName(const ::testing::TestParamInfo<GoldenScores::ParamType>& info) {
  const auto& [followed, clip, threads] = info.param;
  return std::string(followed.extractor) + "_on_" + clip + "_with_" + std::to_string(threads) +
         "_threads";
}

constexpr const char* kClips[] = {"a160_8",  "b176_8",   "b176_10", "c161_8",   "d256_8",
                                  "d256_10", "e320_8",   "f176s_8", "g176_444", "j64_1",
                                  "k64_2",   "l161_444", "n640_8"};

INSTANTIATE_TEST_SUITE_P(EveryClip, GoldenScores,
                         ::testing::Combine(::testing::ValuesIn(kFollowed),
                                            ::testing::ValuesIn(kClips), ::testing::Values(0u, 4u)),
                         CaseName);

}  // namespace
}  // namespace culprit::reference
