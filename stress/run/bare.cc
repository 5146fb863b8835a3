// SPDX-License-Identifier: Apache-2.0
#include "stress/run/bare.h"

#include <memory>

#include "stress/run/cycle.h"
#include "stress/run/open_session.h"

namespace culprit::stress {

Outcome RunBare(const ProbeInfo& probe, const TrialPlan& plan) {
  std::unique_ptr<Session> session;
  if (Outcome opened = OpenSession(probe, plan, -1, &session); !opened.ok()) return opened;
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
