// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stress/run/probe.h"
#include "stress/run/session.h"

namespace culprit::stress {

// Starts the process that a probe has for a peer, with a driver of its own; before this process
// loads one. It ends when this process closes its end of the socket, or ends itself. `not_for_peer`
// is a descriptor that the peer must not hold open, or -1. Returns the end of the socket, or -1.
int StartPeer(const ProbeInfo& probe, const SessionPlan& plan, int not_for_peer);

}  // namespace culprit::stress
