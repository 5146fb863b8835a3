// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/compute_handler.h"

namespace culprit::reference {

FirstFailure ComputeHandler::Handle(const ScoreRequest& request, std::shared_ptr<const void> model,
                                    const FrameSource& source, Scores* scores) {
  RetryUnfinished();
  auto cycle = std::make_unique<ScoringCycle>(port_);
  cycle->Lend(std::move(model));
  if (cycle->Start(request)) ScoreAll(*cycle, source, scores);
  cycle->Finish();
  FirstFailure first = cycle->first();
  if (!cycle->finished()) unfinished_.push_back(std::move(cycle));
  return first;
}

FirstFailure ComputeHandler::Shutdown() { return RetryUnfinished(); }

FirstFailure ComputeHandler::RetryUnfinished() {
  FirstFailure first;
  std::erase_if(unfinished_, [&](const auto& cycle) {
    const FirstFailure attempt = cycle->Finish();
    if (attempt.failed()) first.Note("end", attempt.status());
    return cycle->finished();
  });
  return first;
}

}  // namespace culprit::reference
