// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "suites/runner/live_objects.h"

namespace culprit::suites {
namespace {

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

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

std::string LookupName(const std::string& entry) {
  std::string name = entry;
  for (const char* variant : {"_ptds", "_ptsz"}) {
    if (EndsWith(name, variant)) name.resize(name.size() - 5);
  }
  const size_t version = name.rfind("_v");
  if (version != std::string::npos && version + 2 < name.size() &&
      name.find_first_not_of("0123456789", version + 2) == std::string::npos) {
    name.resize(version);
  }
  return name;
}

bool SameEntry(const std::string& a, const std::string& b) {
  return a == b || LookupName(a) == LookupName(b);
}

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
