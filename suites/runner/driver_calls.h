// SPDX-License-Identifier: Apache-2.0
//
// The driver's call log as the runner reads it: what was called after what, which calls a fault hit
// and, where the driver kept it, from which source line.
#ifndef SUITES_RUNNER_DRIVER_CALLS_H_
#define SUITES_RUNNER_DRIVER_CALLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fakedriver/control/control.h"
#include "suites/runner/entry_table.h"
#include "suites/runner/life_cycle.h"

namespace culprit::suites {

struct DriverCall {
  uint64_t sequence = 0;
  uint32_t thread = 0;
  uint32_t entry = 0;  // index into EntryTable
  uint32_t nth = 0;    // of this entry on this thread
  int32_t result = 0;
  int fault = 0;  // id of the fault that hit it; 0: none
};

// Kept since the last reset, in order of completion; empty unless the log was on.
std::vector<DriverCall> ReadDriverCalls(const culprit_control_table& control);

// A call as a fault plan addresses it. Names take room that a million plans do not have.
struct CallMade {
  uint32_t entry = 0;  // index into EntryTable
  uint64_t nth = 1;    // of this entry on any thread, or of its lookup name where that is its name
  StepKind during = StepKind::kOpen;
  bool hit = false;  // a fault failed it

  bool operator==(const CallMade&) const = default;
};

// The calls that steps of the life cycle made, from the first one behind `after` on, and how many
// calls were made outside every step. A call's `nth` counts from the beginning.
std::vector<CallMade> CallsOfSteps(const EntryTable& entries, const std::vector<DriverCall>& log,
                                   const LifeCycleRecord& record, uint64_t after,
                                   uint64_t* outside = nullptr);

// Identifies what happened from the first call behind `after` on: which thread called which entry,
// whether it succeeded. Equal for runs that went on in the same way.
uint64_t BehaviourAfter(const std::vector<DriverCall>& log, uint64_t after);

// Number of the first call that a fault hit; 0: none.
uint64_t FirstFaulted(const std::vector<DriverCall>& log);

// The one of `faults` that was the first to hit a call behind `after`. They are indices into
// `fault_ids`, which are what the log names faults by. Only the log can tell: where it was not kept
// (null), and where it knows none of them, the first of `faults`, of which there is at least one.
size_t FirstToHit(const std::vector<DriverCall>* log, const std::vector<int>& fault_ids,
                  const std::vector<size_t>& faults, uint64_t after);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_DRIVER_CALLS_H_
