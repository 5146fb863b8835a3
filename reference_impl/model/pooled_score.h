// SPDX-License-Identifier: Apache-2.0
//
// One number for the frames of a clip, four ways.
#ifndef CULPRIT_REFERENCE_IMPL_MODEL_POOLED_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_MODEL_POOLED_SCORE_H_

#include <span>

namespace culprit::reference {

struct PooledScore {
  double min = 0;
  double max = 0;
  double mean = 0;
  // Of the scores plus one, less one: so that a score of 0 does not make it 0.
  double harmonic_mean = 0;
};

// `scores` is not empty.
PooledScore Pool(std::span<const double> scores);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_MODEL_POOLED_SCORE_H_
