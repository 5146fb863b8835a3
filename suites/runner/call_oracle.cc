// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

struct LoggedCall {
  uint64_t sequence;
  std::string entry;
  bool faulted;
};

std::vector<LoggedCall> Named(const std::vector<DriverCall>& log,
                              const std::vector<std::string>& names) {
  std::vector<LoggedCall> calls;
  for (const DriverCall& call : log) {
    calls.push_back({call.sequence, names[call.entry], call.fault != 0});
  }
  return calls;
}

bool Listed(const std::vector<std::string>& entries, const std::string& entry) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const std::string& listed) { return SameEntry(listed, entry); });
}

void Report(std::string message, Findings* findings) {
  findings->push_back({.id = "port.calls", .message = std::move(message), .step = {}});
}

}  // namespace

void JudgeCalls(const Observation& seen, Findings* findings) {
  const CallExpectation& expect = seen.scenario.expect.calls;
  const bool after_fault = !expect.after_fault_only.empty() && !seen.faults.empty();
  // Order, absence and counts are promises about the run that nothing disturbs.
  const bool undisturbed =
      !seen.swept && (!expect.in_order.empty() || !expect.absent.empty() || !expect.count.empty());
  if ((!after_fault && !undisturbed) || seen.call_log == nullptr) return;
  const std::vector<LoggedCall> calls = Named(*seen.call_log, seen.entries->names);
  if (after_fault) {
    bool seen_fault = false;
    for (const LoggedCall& call : calls) {
      if (seen_fault && !Listed(expect.after_fault_only, call.entry)) {
        Report(fmt::format("call {} is {}; after the fault only these are expected: {}",
                           call.sequence, call.entry, fmt::join(expect.after_fault_only, ", ")),
               findings);
        break;
      }
      seen_fault |= call.faulted;
    }
  }
  if (!undisturbed) return;
  for (const LoggedCall& call : calls) {
    if (Listed(expect.absent, call.entry)) {
      Report(fmt::format("call {} is {}, which must not occur", call.sequence, call.entry),
             findings);
      break;
    }
  }
  for (const auto& [entry, count] : expect.count) {
    const auto made = static_cast<uint64_t>(std::count_if(
        calls.begin(), calls.end(),
        [&entry = entry](const LoggedCall& call) { return SameEntry(call.entry, entry); }));
    if (made != count)
      Report(fmt::format("{} calls of {}, expected {}", made, entry, count), findings);
  }
  size_t at = 0;
  for (const std::string& entry : expect.in_order) {
    while (at < calls.size() && !SameEntry(calls[at].entry, entry)) ++at;
    if (at == calls.size()) {
      Report(fmt::format("{} does not occur where the order {} asks for it", entry,
                         fmt::join(expect.in_order, ", ")),
             findings);
      break;
    }
    ++at;
  }
}

}  // namespace culprit::suites
