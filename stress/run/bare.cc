// SPDX-License-Identifier: Apache-2.0
#include "stress/run/bare.h"

#include <cstdlib>
#include <memory>

#include "stress/run/cycle.h"
#include "stress/run/peer.h"

namespace culprit::stress {

Outcome RunBare(const ProbeInfo& probe, const TrialPlan& plan) {
  for (const auto& [name, value] : probe.environment) setenv(name, value, 1);
  SessionPlan session_plan{.driver = plan.driver,
                           .device = plan.device,
                           .devices = probe.devices,
                           .context = probe.context,
                           .port = plan.port};
  if (probe.peer != nullptr) {
    session_plan.peer = StartPeer(probe, session_plan, -1);
    if (session_plan.peer < 0) return Outcome::Failed("no peer process could be started");
  }
  std::unique_ptr<Session> session;
  if (Outcome opened = Session::Open(session_plan, &session); !opened.ok()) return opened;
  const std::unique_ptr<Workload> workload = probe.make(*session);
  if (Outcome ready = workload->Setup(); !ready.ok()) return ready;
  Cycle cycle(workload->pairs());
  if (plan.leak) cycle.Leak(workload->control());
  for (int64_t i = 0; i < plan.cycles; ++i) {
    workload->Prepare(i);
    if (Outcome ran = cycle.Run(); !ran.ok()) return ran;
  }
  if (Outcome closed = workload->Teardown(); !closed.ok()) return closed;
  return session->Close();
}

}  // namespace culprit::stress
