// SPDX-License-Identifier: Apache-2.0
//
// The golden scores of one clip, and a run of the framework to compare with them.
#ifndef CULPRIT_REFERENCE_IMPL_TESTING_GOLDEN_SCORES_H_
#define CULPRIT_REFERENCE_IMPL_TESTING_GOLDEN_SCORES_H_

#include <map>
#include <string>
#include <vector>

#include "reference_impl/clip/clip_spec.h"
#include "reference_impl/framework/options.h"
#include "reference_impl/framework/state.h"
#include "reference_impl/model/pooled_score.h"

namespace culprit::reference::testing {

// By key, then by frame; null in the file is NaN here.
using ScoreTable = std::map<std::string, std::vector<double>>;

struct GoldenFeature {
  std::string name;  // "motion"
  Options options;   // of "motion=motion_max_val=18"
  ScoreTable scores;
  std::map<std::string, PooledScore> pooled;  // by key; of models only
};

// Throws std::runtime_error that names the file.
std::vector<GoldenFeature> ReadGolden(const std::string& folder, const std::string& clip);

// One extractor over a whole clip that is generated on the way. `state` may be null. Throws
// std::runtime_error with the message of the first failure.
ScoreTable ScoreClip(const ClipSpec& clip, const std::string& extractor, const Options& options,
                     uint32_t threads, State* state);

// The largest difference, relative above 1, and where; 0 and empty if there is none.
struct Difference {
  double largest = 0;
  std::string where;
};
Difference Compare(const ScoreTable& expected, const ScoreTable& actual);

}  // namespace culprit::reference::testing

#endif  // CULPRIT_REFERENCE_IMPL_TESTING_GOLDEN_SCORES_H_
