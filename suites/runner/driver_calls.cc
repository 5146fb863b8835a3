// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/driver_calls.h"

#include <algorithm>
#include <map>

#include "suites/runner/hash.h"

namespace culprit::suites {

std::vector<DriverCall> ReadDriverCalls(const culprit_control_table& control) {
  std::vector<culprit_logged_call> raw(control.logged_calls(nullptr, 0));
  const size_t count = control.logged_calls(raw.data(), raw.size());
  raw.resize(std::min(raw.size(), count));
  std::vector<DriverCall> calls;
  calls.reserve(raw.size());
  for (const culprit_logged_call& call : raw) {
    calls.push_back({call.seq, call.thread, call.entry, call.nth, call.result, call.fault});
  }
  return calls;
}

std::vector<CallMade> CallsOfSteps(const EntryTable& entries, const std::vector<DriverCall>& log,
                                   const LifeCycleRecord& record, uint64_t after,
                                   uint64_t* outside) {
  std::vector<CallMade> calls;
  std::map<uint32_t, uint64_t> of_lookup;
  std::map<uint32_t, uint64_t> of_entry;
  for (const DriverCall& logged : log) {
    const uint64_t nth_of_entry = ++of_entry[logged.entry];
    // A fault that names an entry by its lookup name counts every variant of it.
    const uint64_t nth_of_lookup = ++of_lookup[entries.lookups[logged.entry]];
    if (logged.sequence <= after) continue;
    // What a thread of the subject calls between two steps belongs to the later one, so that the
    // plan does not depend on how fast the thread was.
    const auto made_in = std::find_if(record.calls.begin(), record.calls.end(), [&](const PortCall& call) {
      return logged.sequence <= call.calls_after;
    });
    if (made_in == record.calls.end()) {
      if (outside != nullptr) ++*outside;
      continue;
    }
    const bool is_lookup = entries.IsLookup(logged.entry);
    calls.push_back(
        {logged.entry, is_lookup ? nth_of_lookup : nth_of_entry, made_in->kind, logged.fault != 0});
  }
  return calls;
}

uint64_t BehaviourAfter(const std::vector<DriverCall>& log, uint64_t after) {
  Hash hash;
  for (const DriverCall& call : log) {
    if (call.sequence <= after) continue;
    hash.Add(call.thread).Add(call.entry).Add(call.result == 0 ? 0 : 1);
  }
  return hash.value();
}

uint64_t FirstFaulted(const std::vector<DriverCall>& log) {
  const auto hit =
      std::find_if(log.begin(), log.end(), [](const DriverCall& call) { return call.fault != 0; });
  return hit == log.end() ? 0 : hit->sequence;
}

size_t FirstToHit(const std::vector<DriverCall>* log, const std::vector<int>& fault_ids,
                  const std::vector<size_t>& faults, uint64_t after) {
  if (log == nullptr || faults.size() == 1) return faults.front();
  for (const DriverCall& made : *log) {
    if (made.fault == 0 || made.sequence <= after) continue;
    for (const size_t i : faults) {
      if (made.fault == fault_ids[i]) return i;
    }
  }
  return faults.front();
}

}  // namespace culprit::suites
