// SPDX-License-Identifier: Apache-2.0
//
// The filter caller: part of a media pipeline whose frames live in a context that the pipeline
// owns. The device state borrows that context, so the filter holds a reference to the source of the
// frames until close has returned exactly zero; an Uninit that failed outlives the pipeline's own
// cleanup and is called again.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_FILTER_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_FILTER_H_

#include <memory>

#include "reference_impl/callers/scoring_cycle.h"

namespace culprit::reference {

// What a pipeline shares between its filters: the context that its frames live in. Destroyed with
// the last reference.
class FramesContext {
 public:
  virtual ~FramesContext() = default;
  virtual void* context() const = 0;
};

class ScoreFilter {
 public:
  explicit ScoreFilter(const culprit_port& port) : cycle_(port) {}

  // False after a failure, which first() tells; Uninit follows in either case.
  bool Init(ScoreRequest request, std::shared_ptr<const FramesContext> frames);
  bool FilterFrame(const FrameView& reference, const FrameView& distorted);
  bool EndOfStream(Scores* scores) { return cycle_.Flush() && cycle_.ReadScores(scores); }

  // The failure of this attempt. The frames context is given up when nothing is left, not before.
  FirstFailure Uninit();
  bool finished() const { return cycle_.finished(); }

  const FirstFailure& first() const { return cycle_.first(); }

 private:
  ScoringCycle cycle_;
  std::shared_ptr<const FramesContext> frames_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_SCORE_FILTER_H_
