// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "suites/runner/live_objects.h"

namespace culprit::suites {
namespace {

void JudgeProofOfWork(const Observation& seen, Findings* findings) {
  if (seen.record.driver_calls == 0 && seen.faults.empty()) {
    findings->push_back(
        {.id = "port.not_on_fake",
         .message = "the life cycle made no driver call at all, so it proves nothing",
         .step = {}});
  }
  for (size_t i = 0; i < seen.faults.size(); ++i) {
    if (seen.record.fired[i] != 0 || seen.faults[i].optional) continue;
    findings->push_back(
        {.id = "fault.not_fired",
         .message = fmt::format("the planned fault {} never fired", seen.faults[i].Name()),
         .step = {}});
  }
  if (!seen.record.completed && ClaimsSuccess(seen.record)) {
    findings->push_back({.id = "suite.step_impossible",
                         .message = "nothing failed, and yet a step of the scenario could not run",
                         .step = {}});
  }
}

}  // namespace

bool ClaimsSuccess(const LifeCycleRecord& record) {
  return std::none_of(record.calls.begin(), record.calls.end(),
                      [](const PortCall& call) { return call.failed() != call.expected_to_fail; });
}

Findings Judge(const Observation& seen) {
  Findings findings;
  JudgeErrors(seen, &findings);
  JudgeContexts(seen, &findings);
  JudgeRelease(seen, &findings);
  JudgeScores(seen, &findings);
  JudgeDriverFindings(seen, &findings);
  JudgeCalls(seen, &findings);
  JudgeHostUse(seen, &findings);
  JudgeProofOfWork(seen, &findings);
  return findings;
}

}  // namespace culprit::suites
