// SPDX-License-Identifier: Apache-2.0
// The life cycle of a port with one of its driver calls failing, each in turn. Neighbours in time
// are far apart in the life, so that whatever the deepest failures leave allocated for reuse is
// there soon, and a series is level after few cycles. The port's calls are its own, so the fault is
// planned in the driver: in the interposer, which stands in front of the vendor's driver and never
// passes the failed call on, or in the fake. A close that fails is repeated, as the port promises
// that it may be. The control drops what the failed life left on the floor.
#include <numeric>

#include "fakedriver/control/control.h"
#include "stress/probes/port_life.h"
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

// One fault delays a close once; a port that still refuses after this many has lost its way.
constexpr int kMostCloses = 3;

class PortFaults final : public Workload {
 public:
  explicit PortFaults(Session& session) : Workload(session), control_(driver().control()) {
    AddPair(
        "a life whose n-th driver call fails", [this] { return RunWithFault(); },
        "close until it succeeds", [this] { return CloseRepeatedly(); });
  }

  Outcome Setup() override {
    if (control_ == nullptr) {
      return Outcome::Unsupported(
          "faults in a port's own calls need a driver that plans them: name the interposer's with "
          "--driver");
    }
    if (Outcome loaded = life_.Load(session().port(), driver()); !loaded.ok()) return loaded;
    return CountCalls();
  }

 private:
  // Of one life without a fault.
  Outcome CountCalls() {
    const uint64_t before = control_->calls();
    if (Outcome ran = life_.Run(); !ran.ok()) return ran;
    if (Outcome closed = life_.Close(); !closed.ok()) return closed;
    calls_ = control_->calls() - before;
    if (calls_ == 0) return Outcome::Failed("the port made no driver call");
    // About the golden section of all, and no common divisor: every call has its turn.
    for (step_ = calls_ * 618 / 1000 + 1; std::gcd(step_, calls_) != 1;) ++step_;
    return {};
  }

  Outcome RunWithFault() {
    life_.Forget();
    control_->clear_faults();  // the control closes nothing, and so clears nothing
    at_ = (at_ + step_) % calls_;
    culprit_fault fault{};
    fault.size = sizeof fault;
    fault.nth = at_ + 1;
    fault.result = CUDA_ERROR_OUT_OF_MEMORY;
    fault.optional = 1;  // a life that went another way may make fewer calls
    fault_ = control_->add_fault(&fault);
    if (fault_ < 0) return Outcome::Failed(control_->last_error());
    Outcome ran = life_.Run();
    if (ran.ok() || fired()) return {};
    return ran;
  }

  Outcome CloseRepeatedly() {
    Outcome closed = life_.Close();
    for (int again = 1; !closed.ok() && fired() && again < kMostCloses; ++again) {
      closed = life_.Close();
    }
    control_->clear_faults();
    return closed;
  }

  bool fired() const { return control_->fault_fired(fault_) != 0; }

  const culprit_control_table* control_;
  PortLife life_;
  uint64_t calls_ = 0;  // of a life
  uint64_t step_ = 0;
  uint64_t at_ = 0;
  int fault_ = -1;
};

}  // namespace

const ProbeInfo kPortFaults{
    .name = "port_faults",
    .summary = "the same life cycle with each of the port's driver calls failing in turn (--port)",
    .object = "all that a failed life of the port had taken",
    .cycles = 2000,
    .control_cycles = 200,
    .make = MakeWorkload<PortFaults>,
};

}  // namespace culprit::stress
