// SPDX-License-Identifier: Apache-2.0
//
// Which extractors of a port a model needs.
#ifndef CULPRIT_REFERENCE_IMPL_CALLERS_MODEL_FEATURES_H_
#define CULPRIT_REFERENCE_IMPL_CALLERS_MODEL_FEATURES_H_

#include <string>
#include <vector>

#include "reference_impl/model/score_model.h"
#include "suites/culprit_port.h"

namespace culprit::reference {

// Adds to `extractors`, for each feature that none of them writes, the port's first that does.
// Throws std::runtime_error if there is none.
void AddExtractorsFor(const ScoreModel& model, const culprit_port& port,
                      std::vector<std::string>* extractors);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_CALLERS_MODEL_FEATURES_H_
