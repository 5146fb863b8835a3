// SPDX-License-Identifier: Apache-2.0
//
// Every extractor that needs no driver, against the golden scores: every clip, every set of
// options, every frame, every key.
#include <gtest/gtest.h>

#include "reference_impl/golden/golden_case.h"

namespace culprit::reference::testing {
namespace {

class GoldenScores : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenScores, AreMetFrameByFrame) {
  ExpectGoldenScores(GetParam(), [] { return std::unique_ptr<State>(); });
}

INSTANTIATE_TEST_SUITE_P(EveryClip, GoldenScores,
                         ::testing::Combine(::testing::ValuesIn(kFollowedOnHost),
                                            ::testing::ValuesIn(kGoldenClips),
                                            ::testing::Values(0u, 4u)),
                         NameOfCase);

}  // namespace
}  // namespace culprit::reference::testing
