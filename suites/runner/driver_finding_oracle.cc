// SPDX-License-Identifier: Apache-2.0
//
// What the driver's audit says, less what the subject may do: objects of a declared best-effort
// rollback, a declared process-lifetime retain, and what a failed close leaves behind in a port
// that does not promise a retry. Those are kept as notes, so that a certificate can list them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "suites/runner/best_effort_rollback.h"
#include "suites/runner/host_address.h"
#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

const PortCall* CallAround(const LifeCycleRecord& record, uint64_t driver_call) {
  for (const PortCall& call : record.calls) {
    if (driver_call > call.calls_before && driver_call <= call.calls_after) return &call;
  }
  return nullptr;
}

bool IsLeak(const std::string& id) { return id.rfind("leak.", 0) == 0; }

// The driver knows it while the object lives; of an object that is gone only its description is
// left.
uint64_t CreatingCall(const nlohmann::json& finding) {
  const auto created = finding.find("created_by");
  if (created != finding.end()) return created->value("call", uint64_t{0});
  constexpr std::string_view kMark = "created by call ";
  const std::string object = finding.value("object", "");
  const size_t at = object.find(kMark);
  return at == std::string::npos ? 0
                                 : std::strtoull(object.c_str() + at + kMark.size(), nullptr, 10);
}

void HideHostAddress(nlohmann::json* details) {
  if (IsHostAddress(details->value("handle", ""))) (*details)["handle"] = "a host address";
}

// Whether a fault changed the context stack behind the subject's back, or keeps it from being
// restored.
bool StackDisturbed(const Observation& seen) {
  for (size_t i = 0; i < seen.faults.size(); ++i) {
    if (seen.record.fired[i] == 0) continue;
    const std::string entry = LookupName(seen.faults[i].entry);
    if (entry == "cuCtxPopCurrent" && seen.faults[i].span == FaultSpan::kSticky) return true;
    if (seen.faults[i].when == FaultWhen::kAfter &&
        (entry == "cuCtxPushCurrent" || entry == "cuCtxSetCurrent" || entry == "cuCtxCreate")) {
      return true;
    }
  }
  return std::any_of(seen.record.calls.begin(), seen.record.calls.end(),
                     [&](const PortCall& call) { return RestorationPrevented(call, seen.faults); });
}

// Why the finding is no fault of the subject; empty when it is one.
std::string ExcuseFor(const Observation& seen, const nlohmann::json& finding, const std::string& id,
                      PreventedRollbacks* rollbacks) {
  if (id == "primary.unbalanced_retain" && seen.promises.declares("primary_retain", "")) {
    return "declared: a retain for the life of the process";
  }
  if (StackDisturbed(seen) &&
      (id == "context.stack_imbalance" || id == "primary.released_while_current" ||
       id == "context.destroyed_while_current")) {
    return "an injection disturbed the context stack";
  }
  if (!IsLeak(id) && id != "primary.unbalanced_retain") return {};
  if (!seen.promises.retry_close && seen.record.owner_left) {
    return "the port does not promise that a failed close can be repeated";
  }
  const PortCall* made_in = CallAround(seen.record, CreatingCall(finding));
  if (made_in != nullptr && made_in->failed() &&
      (seen.promises.declares("best_effort_rollback", NameOf(made_in->kind)) ||
       seen.promises.declares("best_effort_rollback", made_in->subject)) &&
      rollbacks->Account(*made_in, finding.value("object", ""))) {
    return fmt::format("declared: the rollback of {} is best effort", made_in->Name());
  }
  return {};
}

// Where it is another rule than the one that the finding breaks as a rule; null: it is not.
const char* RuleBroken(const Observation& seen, const nlohmann::json& raw, const Finding& finding,
                       const PortCall* around) {
  const PortCall* made_in = CallAround(seen.record, CreatingCall(raw));
  if (IsLeak(finding.id) && made_in != nullptr && made_in->failed()) return "LEAK-1";
  if (finding.id == "handle.double_destroy" && around != nullptr && around->attempt > 1) {
    return "TEAR-2";
  }
  return nullptr;
}

}  // namespace

void JudgeDriverFindings(const Observation& seen, Findings* findings) {
  std::set<std::string> missing(seen.scenario.expect.findings.begin(),
                                seen.scenario.expect.findings.end());
  const std::set<std::string> expected = missing;
  PreventedRollbacks rollbacks(seen);
  for (const nlohmann::json& raw : seen.driver_findings) {
    if (raw.value("harness", false)) continue;
    Finding finding;
    finding.id = raw.value("rule", "driver.unnamed");
    finding.severity = raw.value("severity", "error");
    finding.message = raw.value("message", "");
    finding.details = raw;
    for (const char* told : {"rule", "title", "harness", "severity", "message"}) {
      finding.details.erase(told);
    }
    HideHostAddress(&finding.details);
    const PortCall* around = CallAround(seen.record, raw.value("call", uint64_t{0}));
    if (around != nullptr) finding.step = around->Name();
    if (const char* rule = RuleBroken(seen, raw, finding, around)) finding.details["rule"] = rule;
    missing.erase(finding.id);
    if (expected.contains(finding.id)) {
      finding.severity = "note";
      finding.message += " (expected by the scenario)";
    } else if (const std::string excuse = ExcuseFor(seen, raw, finding.id, &rollbacks);
               !excuse.empty()) {
      finding.severity = "note";
      finding.message += " (" + excuse + ")";
      finding.details["excused"] = excuse;
    }
    if (seen.scenario.expect.warnings_fail && finding.severity == "warning") {
      finding.severity = "error";
    }
    findings->push_back(std::move(finding));
  }
  for (const std::string& id : missing) {
    const bool found_by_runner =
        std::any_of(findings->begin(), findings->end(),
                    [&](const Finding& finding) { return finding.id == id; });
    if (found_by_runner) continue;
    findings->push_back({.id = "suite.finding_missing",
                         .message = fmt::format("the scenario expects the finding {}", id),
                         .step = {}});
  }
}

}  // namespace culprit::suites
