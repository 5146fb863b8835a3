// SPDX-License-Identifier: Apache-2.0
// The extractor's life cycle with one call failing: in cycle n the n-th call, then from the first
// again. The driver never sees the failed call, so on a healthy device the whole error path runs:
// a failed take unwinds, a failed release is tried once more. The control does not unwind.
#include "stress/probes/extractor_cycle.h"
#include "stress/probes/probes.h"
#include "stress/run/cycle.h"

namespace culprit::stress {
namespace {

class ExtractorFaults final : public Workload {
 public:
  explicit ExtractorFaults(Session& session)
      : Workload(session), subject_(session), cycle_of_subject_(RetryingGives(subject_)) {
    AddPair(
        "a life cycle whose n-th call fails", [this] { return TakeWithFault(); }, "its unwinding",
        [this] { return Unwind(); });
  }

 private:
  // A release that failed before its effect has to succeed when it is tried again.
  static std::vector<Pair> RetryingGives(const Workload& subject) {
    std::vector<Pair> pairs = subject.pairs();
    for (Pair& pair : pairs) {
      pair.give = [give = pair.give] {
        Outcome gave = give();
        return gave.ok() ? gave : give();
      };
    }
    return pairs;
  }

  Outcome TakeWithFault() {
    driver().faults().Arm(++nth_, CUDA_ERROR_OUT_OF_MEMORY);
    Outcome took = cycle_.Take();
    if (took.ok() || driver().faults().fired()) return {};
    return took;
  }

  Outcome Unwind() {
    Outcome gave = cycle_.Give();
    if (!driver().faults().fired()) nth_ = 0;  // the life cycle makes fewer calls than that
    driver().faults().Disarm();
    return gave;
  }

  ExtractorCycle subject_;
  std::vector<Pair> cycle_of_subject_;
  Cycle cycle_{cycle_of_subject_};
  int nth_ = 0;
};

}  // namespace

const ProbeInfo kExtractorFaults{
    .name = "extractor_faults",
    .summary = "the same life cycle with each of its calls failing in turn",
    .object = "all that a failed life cycle had taken",
    .control_cycles = 500,
    .make = MakeWorkload<ExtractorFaults>,
};

}  // namespace culprit::stress
