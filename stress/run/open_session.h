// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "stress/run/probe.h"
#include "stress/run/session.h"
#include "stress/run/trial.h"

namespace culprit::stress {

// What a probe asks for before its first cycle: its environment, its peer process when it has one,
// and the driver. `not_for_peer` is a descriptor that the peer must not hold open, or -1.
Outcome OpenSession(const ProbeInfo& probe, const TrialPlan& plan, int not_for_peer,
                    std::unique_ptr<Session>* session);

}  // namespace culprit::stress
