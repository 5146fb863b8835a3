// SPDX-License-Identifier: Apache-2.0
//
// The golden comparison as a parameterised test: which extractor follows which golden feature, and
// how closely.
#ifndef CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_CASE_H_
#define CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_CASE_H_

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "reference_impl/testing/golden_scores.h"

namespace culprit::reference::testing {

struct Followed {
  const char* feature;     // of the golden files
  const char* extractor;   // of the registry
  const char* key_prefix;  // of its keys, before the golden ones
  double tolerance;
};

inline constexpr const char* kGoldenClips[] = {
    "a160_8",  "b176_8",   "b176_10", "c161_8", "d256_8",   "d256_10", "e320_8",
    "f176s_8", "g176_444", "j64_1",   "k64_2",  "l161_444", "n640_8"};

// Follower, clip, threads.
using GoldenCase = std::tuple<Followed, const char*, uint32_t>;

inline std::string NameOfCase(const ::testing::TestParamInfo<GoldenCase>& info) {
  const auto& [followed, clip, threads] = info.param;
  return std::string(followed.extractor) + "_on_" + clip + "_with_" + std::to_string(threads) +
         "_threads";
}

// Every set of options that the clip's golden file has for the feature. `make_state` gives the
// state of each run, or null.
template <typename MakeState>
void ExpectGoldenScores(const GoldenCase& golden_case, MakeState make_state) {
  const auto& [followed, clip_name, threads] = golden_case;
  const ClipSpec* clip = FindClip(clip_name);
  ASSERT_NE(clip, nullptr);
  bool compared = false;
  for (GoldenFeature& golden : ReadGolden(CULPRIT_GOLDEN_FOLDER, clip_name)) {
    if (golden.name != followed.feature) continue;
    golden.options.erase("enable_apsnr");  // a score of the whole clip, not of a frame
    SCOPED_TRACE(::testing::PrintToString(golden.options));
    ScoreTable expected;
    for (const auto& [key, values] : golden.scores) expected[followed.key_prefix + key] = values;
    if (expected.empty()) continue;  // the original refuses these options
    const auto state = make_state();
    const Difference difference = Compare(
        expected, ScoreClip(*clip, followed.extractor, golden.options, threads, state.get()));
    EXPECT_LE(difference.largest, followed.tolerance) << difference.where;
    compared = true;
    if (state == nullptr) continue;
    EXPECT_TRUE(state->Free().ok());
  }
  if (!compared) GTEST_SKIP() << "the original has no " << followed.feature << " of " << clip_name;
}

}  // namespace culprit::reference::testing

#endif  // CULPRIT_REFERENCE_IMPL_GOLDEN_GOLDEN_CASE_H_
