// SPDX-License-Identifier: Apache-2.0
//
// The CUDA extractors on the fake driver, whose PTX machine runs their kernels, against the golden
// scores; and nothing is found wrong with how they used the driver.
#include <gtest/gtest.h>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/golden/golden_case.h"

namespace culprit::reference::testing {
namespace {

constexpr Followed kFollowed[] = {
    {"motion", "motion", "", 0},
    {"psnr", "psnr", "", 0},
    {"float_psnr", "float_psnr", "", 1e-9},
    {"float_moment", "float_moment", "", 0},
    {"motion_v2", "motion_v2", "", 0},
    {"float_motion", "float_motion", "", 1e-4},
    {"vif", "vif", "", 0},
    {"adm", "adm", "", 2e-6},
    {"float_ssim", "float_ssim", "", 2e-5},
    {"speed_chroma", "speed_chroma", "", 7e-4},
    {"speed_temporal", "speed_temporal", "", 7e-4},
    {"cambi", "cambi", "", 0},
    {"ssimulacra2", "ssimulacra2", "", 0.12},
};

// The clips of the other threaded cases are too small for these.
constexpr Followed kFollowedOnLargeClips[] = {
    {"speed_chroma", "speed_chroma", "", 7e-4},
    {"speed_temporal", "speed_temporal", "", 7e-4},
    {"cambi", "cambi", "", 0},
};

class GoldenScoresOnFake : public ::testing::TestWithParam<GoldenCase> {
 protected:
  void SetUp() override {
    fake_.Reset();
    fake_.Configure({{"certify", true}});
  }

  // Loaded by path first: the reference then finds it under its name.
  Fake fake_ = Fake::Load(CULPRIT_FAKE_LIBRARY);
};

TEST_P(GoldenScoresOnFake, AreMetFrameByFrame) {
  ExpectGoldenScores(GetParam(), [] {
    std::shared_ptr<DeviceState> device;
    EXPECT_TRUE(DeviceState::Create(nullptr, &device).ok());
    return std::make_unique<State>(std::move(device));
  });
  fake_.EndOfLife();
  for (const Finding& finding : fake_.Findings())
    ADD_FAILURE() << finding.rule << ": " << finding.message;
}

INSTANTIATE_TEST_SUITE_P(EveryClip, GoldenScoresOnFake,
                         ::testing::Combine(::testing::ValuesIn(kFollowed),
                                            ::testing::ValuesIn(kGoldenClips),
                                            ::testing::Values(0u)),
                         NameOfCase);
INSTANTIATE_TEST_SUITE_P(Threaded, GoldenScoresOnFake,
                         ::testing::Combine(::testing::ValuesIn(kFollowed),
                                            ::testing::Values("c161_8", "k64_2"),
                                            ::testing::Values(1u, 2u, 4u, 8u)),
                         NameOfCase);
INSTANTIATE_TEST_SUITE_P(ThreadedLarge, GoldenScoresOnFake,
                         ::testing::Combine(::testing::ValuesIn(kFollowedOnLargeClips),
                                            ::testing::Values("e320_8"), ::testing::Values(1u, 4u)),
                         NameOfCase);

}  // namespace
}  // namespace culprit::reference::testing
