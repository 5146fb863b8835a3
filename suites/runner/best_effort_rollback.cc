// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/best_effort_rollback.h"

#include <algorithm>
#include <vector>

#include "suites/runner/releasing_entries.h"

namespace culprit::suites {
namespace {

bool MakesContextCurrent(const std::string& entry) {
  return entry == "cuCtxPushCurrent" || entry == "cuCtxSetCurrent";
}

uint64_t FiredDuring(const PortCall& call, size_t fault) {
  return call.fired_after[fault] - call.fired_before[fault];
}

// The fault that made the call fail: the one that it reports. It may have fired before the call,
// where the error comes late. Where the call reports none of them, the one that fired first in it.
size_t FirstFailure(const Observation& seen, const PortCall& call) {
  std::vector<size_t> fired, reported, reported_late;
  for (size_t i = 0; i < call.fired_after.size(); ++i) {
    const bool reports = Reports(call.status, seen.faults[i]);
    if (FiredDuring(call, i) != 0) {
      fired.push_back(i);
      if (reports) reported.push_back(i);
    } else if (reports && call.fired_before[i] != 0) {
      reported_late.push_back(i);
    }
  }
  if (reported.empty() && !reported_late.empty()) return reported_late.front();
  const std::vector<size_t>& candidates = reported.empty() ? fired : reported;
  if (candidates.empty()) return 0;
  return FirstToHit(seen.call_log, seen.record.fault_ids, candidates, call.calls_before);
}

// How often a fault fired in the call after the first failure did.
uint64_t FiredAfter(size_t first, const Observation& seen, const PortCall& call, size_t fault) {
  const uint64_t fired = FiredDuring(call, fault);
  if (FiredDuring(call, first) == 0) return fired;
  // Without the log no other fault was planned.
  if (seen.call_log == nullptr) return fault == first ? fired - 1 : fired;
  uint64_t before = 0;
  for (const DriverCall& made : *seen.call_log) {
    if (made.fault == 0 || made.sequence <= call.calls_before) continue;
    if (made.fault == seen.record.fault_ids[fault]) ++before;
    if (made.fault == seen.record.fault_ids[first]) break;
  }
  return fired - std::min(before, fired);
}

}  // namespace

bool PreventedRollbacks::Account(const PortCall& call, const std::string& object) {
  if (call.fired_after.empty()) return false;
  const std::string_view kind = KindOf(object);
  const size_t first = FirstFailure(seen_, call);
  for (size_t i = 0; i < call.fired_after.size(); ++i) {
    if (FiredAfter(first, seen_, call, i) == 0) continue;
    const std::string& entry = seen_.faults[i].entry;
    if (i != first) {
      if (seen_.entries == nullptr || !seen_.entries->Creates(entry)) return true;
    } else if (MakesContextCurrent(LookupName(entry)) && seen_.entries != nullptr &&
               ReleaseNeedsContext(*seen_.entries, kind)) {
      return true;
    }
  }
  // A release that fails after its effect has left nothing.
  const Fault& staying = seen_.faults[first];
  if (!Releases(staying.entry, kind) || staying.when == FaultWhen::kAfter) return false;
  uint64_t& accounted = accounted_[{&call, first}];
  if (accounted == FiredAfter(first, seen_, call, first)) return false;
  ++accounted;
  return true;
}

}  // namespace culprit::suites
