// SPDX-License-Identifier: Apache-2.0
//
// The plan of a sweep: from the calls of a run without faults to the list of faults to try, one
// life cycle each. A pure function, so that a plan can be split over machines by index.
#ifndef SUITES_RUNNER_SWEEP_H_
#define SUITES_RUNNER_SWEEP_H_

#include <map>
#include <string>
#include <vector>

#include "suites/runner/life_cycle.h"
#include "suites/runner/suite.h"

namespace culprit::suites {

// One call of the run without faults.
struct SweptCall {
  std::string entry;
  uint64_t nth = 1;  // of this entry, on any thread
  uint64_t sequence = 0;
  StepKind during = StepKind::kOpen;
};

// Results that an entry is documented to return and that are failures of this call: neither
// success, nor a status (NOT_READY), nor the state of a whole process (DEINITIALIZED).
using DocumentedResults = std::map<std::string, std::vector<int32_t>>;
DocumentedResults ReadDocumentedResults(const nlohmann::json& api_table);

// Pairs the log with the steps that made the calls. Calls outside every step are left out.
std::vector<SweptCall> ReadSweptCalls(const nlohmann::json& call_log,
                                      const LifeCycleRecord& record);

// `optional`: the run has threads, so that a cut-short run may end before the nth call of an entry.
// Each case is one fault, or one and the fault that follows it.
std::vector<std::vector<Fault>> PlanSweep(const Sweep& sweep, const std::vector<SweptCall>& calls,
                                          const DocumentedResults& documented, bool optional);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SWEEP_H_
