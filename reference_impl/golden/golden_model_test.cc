// SPDX-License-Identifier: Apache-2.0
//
// The model's scores, from the golden features, and pooled scores.
#include "reference_impl/golden/golden_model.h"

#include <gtest/gtest.h>

#include "reference_impl/golden/golden_case.h"
#include "reference_impl/model/pooled_score.h"

namespace culprit::reference::testing {
namespace {

class GoldenModelScores : public ::testing::TestWithParam<const char*> {
 protected:
  // The features that a run with a model has, each with its frames.
  std::vector<GoldenFeature> Models() const {
    std::vector<GoldenFeature> models;
    for (GoldenFeature& feature : ReadGolden(CULPRIT_GOLDEN_FOLDER, GetParam())) {
      if (feature.name.starts_with(kModelFeature)) models.push_back(std::move(feature));
    }
    return models;
  }
};

TEST_P(GoldenModelScores, ArePooledAsTheOriginalPoolsThem) {
  const std::vector<GoldenFeature> models = Models();
  ASSERT_FALSE(models.empty());
  for (const GoldenFeature& model : models) {
    ASSERT_FALSE(model.pooled.empty());
    for (const auto& [key, golden] : model.pooled) {
      SCOPED_TRACE(key);
      const PooledScore pooled = Pool(model.scores.at(key));
      EXPECT_EQ(pooled.min, golden.min);
      EXPECT_EQ(pooled.max, golden.max);
      EXPECT_NEAR(pooled.mean, golden.mean, 1e-12 * std::abs(golden.mean));
      EXPECT_NEAR(pooled.harmonic_mean, golden.harmonic_mean, 1e-12 * std::abs(golden.mean));
    }
  }
}

TEST_P(GoldenModelScores, FollowFromTheGoldenFeatures) {
  const std::optional<ScoreModel> model = GoldenModel();
  if (!model) GTEST_SKIP() << kNoModel;
  bool compared = false;
  for (const GoldenFeature& golden : Models()) {
    if (!golden.options.contains(kModelName)) continue;
    const Difference difference =
        Compare({{"vmaf", golden.scores.at("vmaf")}}, {{"vmaf", model->Score(golden.scores)}});
    EXPECT_LE(difference.largest, 1e-9) << difference.where;
    compared = true;
  }
  EXPECT_TRUE(compared);
}

INSTANTIATE_TEST_SUITE_P(EveryClip, GoldenModelScores, ::testing::ValuesIn(kGoldenClips),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace culprit::reference::testing
