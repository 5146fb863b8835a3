// SPDX-License-Identifier: Apache-2.0
#include "stress/run/open_session.h"

#include <cstdlib>

#include "stress/run/peer.h"

namespace culprit::stress {

Outcome OpenSession(const ProbeInfo& probe, const TrialPlan& plan, int not_for_peer,
                    std::unique_ptr<Session>* session) {
  for (const auto& [name, value] : probe.environment) setenv(name, value, 1);
  SessionPlan session_plan{.driver = plan.driver,
                           .device = plan.device,
                           .devices = probe.devices,
                           .context = probe.context,
                           .port = plan.port};
  if (probe.peer != nullptr) {
    session_plan.peer = StartPeer(probe, session_plan, not_for_peer);
    if (session_plan.peer < 0) return Outcome::Failed("no peer process could be started");
  }
  return Session::Open(session_plan, session);
}

}  // namespace culprit::stress
