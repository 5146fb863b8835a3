// SPDX-License-Identifier: Apache-2.0
//
// A media pipeline as the filter sees it: the owner of the context that frames live in. The context
// is given back with the last reference to it; a give-back that failed is kept, reported and
// repeated.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_PIPELINE_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_PIPELINE_H_

#include <memory>
#include <vector>

#include "reference_impl/callers/score_filter.h"
#include "reference_impl/resource/context.h"

namespace culprit::reference {

class Pipeline {
 public:
  // Frames in a context of the pipeline's own. The pipeline must outlive every reference to them.
  Status OpenFrames(std::shared_ptr<const FramesContext>* frames);

  // Tries again what could not be given back. The first failure; zero when nothing is left.
  Status GiveBackLeft();

 private:
  class Frames;

  std::vector<std::shared_ptr<Context>> left_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_PIPELINE_H_
