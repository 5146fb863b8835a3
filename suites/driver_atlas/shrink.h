// SPDX-License-Identifier: Apache-2.0
// Which steps of a sequence matter for what was seen at its end.
#ifndef SUITES_DRIVER_ATLAS_SHRINK_H_
#define SUITES_DRIVER_ATLAS_SHRINK_H_

#include <cstddef>
#include <functional>

#include "suites/driver_atlas/sequence.h"

namespace culprit::atlas {

// The first `step` + 1 steps without those that share no slot with the last one, directly or
// through others. The whole sequence when it has no such step.
Sequence Slice(const Sequence& sequence, size_t step);

// The shortest sequence obtained by leaving out steps for which `fails` still holds.
Sequence Shrink(const Sequence& sequence, const std::function<bool(const Sequence&)>& fails);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_SHRINK_H_
