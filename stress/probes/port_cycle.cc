// SPDX-License-Identifier: Apache-2.0
// The life cycle of a port. Repeating it is how users meet a library whose memory climbs. The
// control drops the session and its state on the floor.
#include "stress/probes/port_life.h"
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

class PortCycle final : public Workload {
 public:
  explicit PortCycle(Session& session) : Workload(session) {
    AddPair(
        "state_init to flush",
        [this] {
          life_.Forget();
          return life_.Run();
        },
        "close and state_free", [this] { return life_.Close(); });
  }

  Outcome Setup() override { return life_.Load(session().port(), driver()); }

 private:
  PortLife life_;
};

}  // namespace

const ProbeInfo kPortCycle{
    .name = "port_cycle",
    .summary = "the life cycle of a port with preallocated pictures (--port)",
    .object = "one session and its state",
    .cycles = 2000,
    .control_cycles = 200,
    .make = MakeWorkload<PortCycle>,
};

}  // namespace culprit::stress
