// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/score_run.h"

#include <cstdio>

namespace culprit::reference {
namespace {

culprit_status SourceFailure(const Status& status) {
  culprit_status failure = EmptyStatus();
  failure.error = status.code();
  failure.domain = CULPRIT_DOMAIN_HOST;
  std::snprintf(failure.message, sizeof failure.message, "%s", status.error().message.c_str());
  return failure;
}

bool SubmitAll(ScoringCycle& cycle, const FrameSource& source) {
  while (true) {
    FrameView reference;
    FrameView distorted;
    bool end = false;
    const Status read = source(&reference, &distorted, &end);
    if (!read.ok()) {
      cycle.Note("reading frame " + std::to_string(cycle.frames()), SourceFailure(read));
      return false;
    }
    if (end) return true;
    if (!cycle.Submit(reference, distorted)) return false;
  }
}

}  // namespace

bool ScoreAll(ScoringCycle& cycle, const FrameSource& source, Scores* scores) {
  return SubmitAll(cycle, source) && cycle.Flush() && cycle.ReadScores(scores);
}

FirstFailure RunScore(const culprit_port& port, const ScoreRequest& request,
                      const FrameSource& source, Scores* scores) {
  ScoringCycle cycle(port);
  if (cycle.Start(request)) ScoreAll(cycle, source, scores);
  for (int attempt = 0; attempt < kFinishAttempts && !cycle.finished(); ++attempt) cycle.Finish();
  return cycle.first();
}

}  // namespace culprit::reference
