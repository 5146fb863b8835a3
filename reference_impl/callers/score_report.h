// SPDX-License-Identifier: Apache-2.0
//
// The scores of a clip as JSON: those of every frame, and each key's pooled ones.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_REPORT_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_REPORT_H_

#include <string>

#include "reference_impl/callers/scoring_cycle.h"

namespace culprit::reference {

// {"frames": {key: [score, ...]}, "pooled": {key: {"min", "max", "mean", "harmonic_mean"}}}, in one
// line. What is infinite is null.
std::string ScoreReport(const Scores& scores);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_REPORT_H_
