// SPDX-License-Identifier: Apache-2.0
//
// What the declaration best_effort_rollback covers: a first failure makes the port take back what
// the call had made, and a second one keeps it from doing so. One failure alone it can always take
// back.
#ifndef SUITES_RUNNER_BEST_EFFORT_ROLLBACK_H_
#define SUITES_RUNNER_BEST_EFFORT_ROLLBACK_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "suites/runner/oracle.h"

namespace culprit::suites {

// The rollbacks of one life cycle. The first failure is the one that the failed call reports: what
// fired before it was made good, and only what fires after it can hit the rollback.
//
// Another fault than the first counts wherever it fires, unless it hits a call that makes
// something: that is no part of a rollback. Of one fault that stays, a later hit counts only where
// it makes the release itself impossible: at the call that would end an object of this kind, or,
// for an object that cannot end without a context, at the one that makes its context current.
class PreventedRollbacks {
 public:
  explicit PreventedRollbacks(const Observation& seen) : seen_(seen) {}

  // Whether a second failure hit the rollback of `call`, a failed one, so that `object` may be
  // left, which is how the driver describes it: "stream #1, created by ...". To be asked once for
  // each object: a hit at a release accounts for one, whichever it was.
  bool Account(const PortCall& call, const std::string& object);

 private:
  const Observation& seen_;
  std::map<std::pair<const PortCall*, size_t>, uint64_t> accounted_;  // by call and fault
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_BEST_EFFORT_ROLLBACK_H_
