// SPDX-License-Identifier: Apache-2.0
//
// The oracles: what every life cycle must satisfy, whatever the suite, and what its scenario
// expects beside that. They are functions of a record, so that each can be tested with a record
// made by hand.
//
//   first error     an injected error is reported, by result and entry, and no later error replaces
//   it contexts        the calling thread's stack and current context are after each call what they
//   were before release         a failed release keeps its owner; repeated, it reaches zero and
//   nothing is left alive scores          a run that claims success has the scores of the run
//   without faults driver          the driver's own audit has nothing to say expectations findings,
//   reported error, live objects and calls that the scenario asks for
#ifndef SUITES_RUNNER_ORACLE_H_
#define SUITES_RUNNER_ORACLE_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/runner/driver_calls.h"
#include "suites/runner/entry_table.h"
#include "suites/runner/finding.h"
#include "suites/runner/life_cycle.h"

namespace culprit::suites {

// What the port promises, as far as it changes a verdict.
struct Promises {
  bool retry_close = true;
  std::function<bool(const std::string& kind, const std::string& where)> declares =
      [](const std::string&, const std::string&) { return false; };
};

struct Observation {
  const Scenario& scenario;
  const Settings& settings;
  const std::vector<Fault>& faults;
  bool swept = false;  // the faults are the sweep's, not the scenario's
  const Promises& promises;
  const LifeCycleRecord& record;
  const nlohmann::json& driver_findings;  // as the control ABI gives them
  const std::vector<ScoreSeries>* baseline =
      nullptr;  // scores of the same settings without a fault
  const std::vector<ScoreSeries>* expected =
      nullptr;  // golden scores, or those of the settings named by same_as
  const std::vector<DriverCall>* call_log = nullptr;      // null: it was not kept
  const EntryTable* entries = nullptr;                    // what it names entries by
};

using Findings = std::vector<Finding>;

Findings Judge(const Observation& seen);

// Whether this is what a call has to say that the fault made fail.
bool Reports(const culprit_status& status, const Fault& fault);

// Whether the faults of this call kept the subject from restoring its caller's context: the one
// retry of a pop failed as well, or the look at what is current did. Then a report is demanded.
bool RestorationPrevented(const PortCall& call, const std::vector<Fault>& faults);

// The single oracles.
void JudgeErrors(const Observation& seen, Findings* findings);
void JudgeContexts(const Observation& seen, Findings* findings);
void JudgeRelease(const Observation& seen, Findings* findings);
void JudgeScores(const Observation& seen, Findings* findings);
void JudgeDriverFindings(const Observation& seen, Findings* findings);
void JudgeCalls(const Observation& seen, Findings* findings);
void JudgeHostUse(const Observation& seen, Findings* findings);

// Whether no call failed that was not meant to.
bool ClaimsSuccess(const LifeCycleRecord& record);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_ORACLE_H_
