// SPDX-License-Identifier: Apache-2.0
//
// The model's scores from pictures: its features as the CUDA extractors compute them on the fake
// driver, fused on the host.
#include <gtest/gtest.h>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/golden/golden_case.h"
#include "reference_impl/golden/golden_model.h"

namespace culprit::reference::testing {
namespace {

// Ten times what the features' own tolerances leave of it on these clips.
constexpr double kTolerance = 1e-4;

TEST(GoldenModelOnFake, ScoresAClipFromItsPictures) {
  const std::optional<ScoreModel> model = GoldenModel();
  if (!model) GTEST_SKIP() << kNoModel;
  Fake fake = Fake::Load(CULPRIT_FAKE_LIBRARY);
  fake.Reset();
  const ClipSpec* clip = FindClip("a160_8");
  ASSERT_NE(clip, nullptr);
  ScoreTable features;
  for (const char* extractor : {"motion", "adm", "vif"}) {
    std::shared_ptr<DeviceState> device;
    ASSERT_TRUE(DeviceState::Create(nullptr, &device).ok());
    State state(std::move(device));
    features.merge(ScoreClip(*clip, extractor, {}, /*threads=*/0, &state));
    ASSERT_TRUE(state.Free().ok());
  }
  for (const GoldenFeature& golden : ReadGolden(CULPRIT_GOLDEN_FOLDER, "a160_8")) {
    if (golden.name != kModelFeature || !golden.options.contains(kModelName)) continue;
    const Difference difference =
        Compare({{"vmaf", golden.scores.at("vmaf")}}, {{"vmaf", model->Score(features)}});
    EXPECT_LE(difference.largest, kTolerance) << difference.where;
  }
}

}  // namespace
}  // namespace culprit::reference::testing
