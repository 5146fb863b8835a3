// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/score_filter.h"

namespace culprit::reference {

bool ScoreFilter::Init(ScoreRequest request, std::shared_ptr<const FramesContext> frames) {
  frames_ = std::move(frames);
  request.context = frames_->context();
  return cycle_.Start(request);
}

bool ScoreFilter::FilterFrame(const FrameView& reference, const FrameView& distorted) {
  return cycle_.Submit(reference, distorted);
}

FirstFailure ScoreFilter::Uninit() {
  const FirstFailure attempt = cycle_.Finish();
  if (cycle_.finished()) frames_.reset();
  return attempt;
}

}  // namespace culprit::reference
