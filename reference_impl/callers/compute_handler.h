// SPDX-License-Identifier: Apache-2.0
//
// The long-lived caller: a handler inside a server that scores one request after another and must
// not run out of anything.
//
// A request whose close failed is answered, and its cycle stays on a list: every later request and
// the shutdown try to finish it. Nothing that its session borrows goes before that.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_COMPUTE_HANDLER_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_COMPUTE_HANDLER_H_

#include <memory>
#include <vector>

#include "reference_impl/callers/score_run.h"

namespace culprit::reference {

class ComputeHandler {
 public:
  explicit ComputeHandler(const culprit_port& port) : port_(port) {}

  // One life cycle. `model` is lent to it. The first failure of this request, its close among it.
  FirstFailure Handle(const ScoreRequest& request, std::shared_ptr<const void> model,
                      const FrameSource& source, Scores* scores);

  // The first failure of finishing what is left; none when nothing is left. Repeatable.
  FirstFailure Shutdown();

  size_t unfinished() const { return unfinished_.size(); }

 private:
  FirstFailure RetryUnfinished();

  const culprit_port& port_;
  std::vector<std::unique_ptr<ScoringCycle>> unfinished_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_COMPUTE_HANDLER_H_
