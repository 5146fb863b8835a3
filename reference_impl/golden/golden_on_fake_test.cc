// SPDX-License-Identifier: Apache-2.0
//
// The CUDA extractors on the fake driver, whose PTX machine runs their kernels, against the golden
// scores: no further from them than allowed, and no further than was recorded. Nothing is found
// wrong with how they used the driver.
#include <gtest/gtest.h>

#include <algorithm>

#include "fakedriver/control/fake_driver.h"
#include "reference_impl/golden/difference_record.h"
#include "reference_impl/golden/golden_case.h"

namespace culprit::reference::testing {
namespace {

// What the record allows, with room for another C library's last digits.
double RecordedTolerance(const Followed& followed) {
  static const DifferenceRecord record =
      ReadDifferences(CULPRIT_GOLDEN_FOLDER "/differences_on_fake.json");
  return std::min(followed.tolerance, 1.05 * record.at(followed.extractor).largest + 1e-12);
}

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
  auto [followed, clip, threads] = GetParam();
  followed.tolerance = RecordedTolerance(followed);
  ExpectGoldenScores({followed, clip, threads}, [] {
    std::shared_ptr<DeviceState> device;
    EXPECT_TRUE(DeviceState::Create(nullptr, &device).ok());
    return std::make_unique<State>(std::move(device));
  });
  fake_.EndOfLife();
  for (const Finding& finding : fake_.Findings())
    ADD_FAILURE() << finding.rule << ": " << finding.message;
}

INSTANTIATE_TEST_SUITE_P(EveryClip, GoldenScoresOnFake,
                         ::testing::Combine(::testing::ValuesIn(kFollowedOnDevice),
                                            ::testing::ValuesIn(kGoldenClips),
                                            ::testing::Values(0u)),
                         NameOfCase);
INSTANTIATE_TEST_SUITE_P(Threaded, GoldenScoresOnFake,
                         ::testing::Combine(::testing::ValuesIn(kFollowedOnDevice),
                                            ::testing::Values("c161_8", "k64_2"),
                                            ::testing::Values(1u, 2u, 4u, 8u)),
                         NameOfCase);
INSTANTIATE_TEST_SUITE_P(ThreadedLarge, GoldenScoresOnFake,
                         ::testing::Combine(::testing::ValuesIn(kFollowedOnLargeClips),
                                            ::testing::Values("e320_8"), ::testing::Values(1u, 4u)),
                         NameOfCase);

}  // namespace
}  // namespace culprit::reference::testing
