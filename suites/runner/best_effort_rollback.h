// SPDX-License-Identifier: Apache-2.0
//
// What the declaration best_effort_rollback covers: a first failure makes the port take back what
// the call had made, and a second one keeps it from doing so. One failure alone it can always take
// back.
#ifndef SUITES_RUNNER_BEST_EFFORT_ROLLBACK_H_
#define SUITES_RUNNER_BEST_EFFORT_ROLLBACK_H_

#include <string>

#include "suites/runner/oracle.h"

namespace culprit::suites {

// Whether a second failure hit the rollback of `call`, a failed one, so that `object` may be left,
// which is how the driver describes it: "stream #1, created by ...".
//
// Another fault than the first counts wherever it fires, unless it hits a call that makes
// something: that is no part of a rollback. Of one fault that stays, a later hit counts only where
// it makes the release itself impossible: at the call that would end an object of this kind, or at
// the one that makes its context current.
bool RollbackPrevented(const Observation& seen, const PortCall& call, const std::string& object);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_BEST_EFFORT_ROLLBACK_H_
