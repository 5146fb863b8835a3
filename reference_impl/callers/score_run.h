// SPDX-License-Identifier: Apache-2.0
//
// The command-line caller: one clip, one life cycle, and an end that tries more than once.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_RUN_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_RUN_H_

#include <functional>

#include "reference_impl/callers/scoring_cycle.h"

namespace culprit::reference {

// The next frame pair; `*end` after the last one.
using FrameSource = std::function<Status(FrameView* reference, FrameView* distorted, bool* end)>;

// Submits every frame of `source`, flushes, reads the scores. False after a failure, which the
// cycle tells.
bool ScoreAll(ScoringCycle& cycle, const FrameSource& source, Scores* scores);

inline constexpr int kFinishAttempts = 3;

// The first failure. Everything is given back whatever happened, as far as kFinishAttempts go.
FirstFailure RunScore(const culprit_port& port, const ScoreRequest& request,
                      const FrameSource& source, Scores* scores);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_RUN_H_
