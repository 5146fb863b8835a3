// SPDX-License-Identifier: Apache-2.0
//
// The first error. A fault that fires is pending until some call reports it; the next failing call
// must be the one that does. While a sticky fault is in force every failing call reports it again.
//
// A subject with threads of its own calls the driver also while no call into it is in progress. A
// fault that fires then counts for the next call: nobody could have reported it before.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "suites/runner/driver_result.h"
#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

std::string DomainName(int32_t domain) {
  switch (domain) {
    case CULPRIT_DOMAIN_NONE:
      return "no domain";
    case CULPRIT_DOMAIN_DRIVER:
      return "driver";
    case CULPRIT_DOMAIN_EXTRACTOR:
      return "extractor";
    case CULPRIT_DOMAIN_HOST:
      return "host";
  }
  return fmt::format("domain {}", domain);
}

std::string Describe(const culprit_status& status) {
  const std::string entry = status.entry;
  return fmt::format("{} {}{} ({}, {}): {}", DomainName(status.domain),
                     status.cu_result == 0 ? "error" : DriverResultName(status.cu_result),
                     entry.empty() ? "" : fmt::format(" from {}", entry), status.error,
                     std::strerror(-status.error), status.message);
}

bool MatchesExpectedFailure(const PortCall& call, const ExpectedFailure& expected) {
  return expected.cu_result != 0 ? call.status.cu_result == expected.cu_result
                                 : call.returned == expected.error;
}

// Errors that a correct subject may keep to itself: a failed pop that was made good (the context
// oracle sees to that), text for a message that is then less helpful, and what the port declares.
bool MayStaySilent(const Fault& fault, const Promises& promises) {
  const std::string entry = LookupName(fault.entry);
  return entry == "cuCtxPopCurrent" || entry == "cuGetErrorString" || entry == "cuGetErrorName" ||
         promises.declares("tolerated_error", entry) ||
         promises.declares("tolerated_error", fault.entry);
}

class ErrorOracle {
 public:
  ErrorOracle(const Observation& seen, Findings* findings)
      : seen_(seen), findings_(findings), fired_so_far_(seen.faults.size()) {}

  void Judge() {
    for (const PortCall& call : seen_.record.calls) Follow(call);
    if (pending_ && !MayStaySilent(seen_.faults[*pending_], seen_.promises)) {
      Report("port.error_swallowed", pending_call_,
             fmt::format("{} was injected and no call reported an error",
                         seen_.faults[*pending_].Name()),
             pending_in_background_ ? "ERR-2" : nullptr);
      NameDriverCall(&findings_->back().details);
    }
    if (seen_.scenario.expect.reported && !seen_.swept) JudgeExpected();
  }

 private:
  // `rule` where it is another than the one that the finding breaks as a rule.
  void Report(const char* id, const PortCall* call, std::string message,
              const char* rule = nullptr) {
    Finding& finding = findings_->emplace_back();
    finding.id = id;
    finding.message = std::move(message);
    if (call != nullptr) finding.step = call->Name();
    if (rule != nullptr) finding.details["rule"] = rule;
  }

  // Of the swallowed error; its number and thread only the call log knows.
  void NameDriverCall(nlohmann::json* details) const {
    (*details)["entry"] = seen_.faults[*pending_].entry;
    if (seen_.call_log == nullptr) return;
    for (const DriverCall& made : *seen_.call_log) {
      if (made.sequence <= pending_after_ || made.fault != seen_.record.fault_ids[*pending_]) {
        continue;
      }
      (*details)["call"] = made.sequence;
      (*details)["thread"] = made.thread;
      return;
    }
  }

  void Follow(const PortCall& call) {
    const std::vector<size_t> fired = FiredIn(call);
    if (!fired.empty() && !pending_) {
      pending_ = FirstToHit(seen_.call_log, seen_.record.fault_ids, fired, call.calls_before);
      pending_call_ = &call;
      pending_after_ = &call == seen_.record.calls.data() ? 0 : (&call - 1)->calls_after;
      pending_in_background_ = call.fired_before[*pending_] == call.fired_after[*pending_];
    }
    if (call.expected_to_fail) return FollowExpectedFailure(call);
    if (!call.failed()) {
      if (pending_ && MayStaySilent(seen_.faults[*pending_], seen_.promises)) {
        silent_.push_back(*pending_);
        pending_.reset();
      }
      return;
    }
    const std::optional<size_t> first = pending_ ? pending_ : call.sticky_in_force;
    if (!first && ReportsSilentOne(call)) return;
    if (!first) {
      Report("port.unexpected_failure", &call,
             fmt::format("{} failed although no fault was in force: {}", call.Name(),
                         Describe(call.status)));
    } else if (!Reports(call.status, seen_.faults[*first]) &&
               !ReportsBeyondSilence(call, *first, fired)) {
      Report("port.first_error_lost", &call,
             fmt::format("the first error was {}, and {} reported {}", seen_.faults[*first].Name(),
                         call.Name(), Describe(call.status)),
             pending_ ? nullptr : "ERR-3");
    }
    pending_.reset();
  }

  // Since the call before this one returned.
  std::vector<size_t> FiredIn(const PortCall& call) {
    std::vector<size_t> fired;
    for (size_t i = 0; i < seen_.faults.size(); ++i) {
      if (call.fired_after[i] > fired_so_far_[i]) fired.push_back(i);
      fired_so_far_[i] = call.fired_after[i];
    }
    return fired;
  }

  // An error that may stay silent may also be reported late, for example by the flush when a worker
  // met it.
  bool ReportsSilentOne(const PortCall& call) const {
    return std::any_of(silent_.begin(), silent_.end(),
                       [&](size_t i) { return Reports(call.status, seen_.faults[i]); });
  }

  // A first error that was made good need not be reported, and then the next one is. One that
  // comes after its effect is made good by looking, every time.
  bool ReportsBeyondSilence(const PortCall& call, size_t first,
                            const std::vector<size_t>& fired) const {
    return MayStaySilent(seen_.faults[first], seen_.promises) &&
           (seen_.faults[first].span == FaultSpan::kOnce ||
            seen_.faults[first].when == FaultWhen::kAfter) &&
           std::any_of(fired.begin(), fired.end(), [&](size_t i) {
             return i != first && Reports(call.status, seen_.faults[i]);
           });
  }

  void FollowExpectedFailure(const PortCall& call) {
    const ExpectedFailure& expected = *seen_.scenario.steps[call.step].fails_with;
    if (!call.failed()) {
      Report("port.unexpected_success", &call,
             fmt::format("{} succeeded and must fail with {}", call.Name(), expected.name));
      return;
    }
    const bool injected = pending_ && Reports(call.status, seen_.faults[*pending_]);
    if (!injected && !MatchesExpectedFailure(call, expected)) {
      Report(pending_ ? "port.first_error_lost" : "port.unexpected_failure", &call,
             fmt::format("{} must fail with {} and reported {}", call.Name(), expected.name,
                         Describe(call.status)));
    }
    pending_.reset();
  }

  void JudgeExpected() {
    const ReportedError& expected = *seen_.scenario.expect.reported;
    for (const PortCall& call : seen_.record.calls) {
      if (!call.failed()) continue;
      const bool same = call.status.cu_result == expected.result &&
                        (expected.entry.empty() || SameEntry(call.status.entry, expected.entry)) &&
                        (!expected.step || *expected.step == call.kind);
      if (!same) {
        Report("port.first_error_lost", &call,
               fmt::format("the scenario expects {} to be reported, and {} reported {}",
                           DriverResultName(expected.result), call.Name(), Describe(call.status)));
      }
      return;
    }
    Report("port.error_swallowed", nullptr,
           fmt::format("the scenario expects {} to be reported, and no call failed",
                       DriverResultName(expected.result)));
  }

  const Observation& seen_;
  Findings* findings_;
  std::vector<uint64_t> fired_so_far_;
  std::optional<size_t> pending_;  // index of the fault that the next failing call must report
  const PortCall* pending_call_ = nullptr;
  uint64_t pending_after_ = 0;          // its driver call comes after the one with this number
  bool pending_in_background_ = false;  // it fired while no call was in progress
  std::vector<size_t> silent_;
};

}  // namespace

bool Reports(const culprit_status& status, const Fault& fault) {
  return status.domain == CULPRIT_DOMAIN_DRIVER && status.cu_result == fault.result &&
         SameEntry(status.entry, fault.entry);
}

void JudgeErrors(const Observation& seen, Findings* findings) {
  ErrorOracle(seen, findings).Judge();
}

}  // namespace culprit::suites
