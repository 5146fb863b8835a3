// SPDX-License-Identifier: Apache-2.0
#include "stress/run/bare.h"

#include <cstdlib>
#include <memory>

#include "stress/run/cycle.h"

namespace culprit::stress {

Outcome RunBare(const ProbeInfo& probe, const TrialPlan& plan) {
  if (probe.peer != nullptr) {
    return Outcome::Unsupported("a probe with a peer process does not run in one process");
  }
  for (const auto& [name, value] : probe.environment) setenv(name, value, 1);
  std::unique_ptr<Session> session;
  if (Outcome opened = Session::Open({.driver = plan.driver,
                                      .device = plan.device,
                                      .devices = probe.devices,
                                      .context = probe.context,
                                      .port = plan.port},
                                     &session);
      !opened.ok()) {
    return opened;
  }
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
