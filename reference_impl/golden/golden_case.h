// SPDX-License-Identifier: Apache-2.0
//
// The golden comparison as a parameterised test.
#ifndef CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_CASE_H_
#define CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_CASE_H_

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>

#include "reference_impl/golden/followed.h"

namespace culprit::reference::testing {

inline void PrintTo(const Followed& followed, std::ostream* out) { *out << followed.extractor; }

// Follower, clip, threads.
using GoldenCase = std::tuple<Followed, const char*, uint32_t>;

inline std::string NameOfCase(const ::testing::TestParamInfo<GoldenCase>& info) {
  const auto& [followed, clip, threads] = info.param;
  return std::string(followed.extractor) + "_on_" + clip + "_with_" + std::to_string(threads) +
         "_threads";
}

template <typename MakeState>
void ExpectGoldenScores(const GoldenCase& golden_case, MakeState make_state) {
  const auto& [followed, clip, threads] = golden_case;
  const std::optional<Difference> difference =
      LargestDifference(CULPRIT_GOLDEN_FOLDER, followed, clip, threads, make_state);
  if (!difference) GTEST_SKIP() << "the original has no " << followed.feature << " of " << clip;
  EXPECT_LE(difference->largest, followed.tolerance) << difference->where;
}

}  // namespace culprit::reference::testing

#endif  // CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_CASE_H_
