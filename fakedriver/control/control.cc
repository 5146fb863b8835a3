// SPDX-License-Identifier: Apache-2.0
//
// The control table: each function translates between the C ABI and the parts of the fake, nothing
// more.
#include "fakedriver/control/control.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "fakedriver/audit/end_of_life.h"
#include "fakedriver/audit/finding.h"
#include "fakedriver/control/report.h"
#include "fakedriver/control/settings_json.h"
#include "fakedriver/core/before_call.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/inspect.h"
#include "fakedriver/core/launch_counts.h"
#include "fakedriver/core/results.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/fault/engine.h"
#include "fakedriver/fault/plan.h"
#include "fakedriver/trace/call_log.h"
#include "fakedriver/trace/trace_file.h"

namespace culprit::fakedriver::control {
namespace {

thread_local std::string last_error_text;

int Fail(std::string reason) {
  last_error_text = std::move(reason);
  return -1;
}

// Keeps a text for the caller until the next call of the same function on this thread.
template <std::string (*Make)()>
const char* Keep() {
  static thread_local std::string text;
  text = Make();
  return text.c_str();
}

const char* LastError() { return last_error_text.c_str(); }

std::string SettingsText() { return SettingsAsJson(CurrentSettings()); }

int Configure(const char* settings_json) {
  if (settings_json == nullptr) return Fail("configure: the settings are null");
  if (!LiveObjects().empty()) return Fail("configure: objects are alive; reset first");
  std::string error;
  auto settings = ParseSettings(settings_json, CurrentSettings(), &error);
  if (!settings) return Fail("configure: " + error);
  if (settings->trace != CurrentSettings().trace) {
    error = trace::OpenTrace(settings->trace);
    if (!error.empty()) return Fail("configure: trace: " + error);
  }
  audit::SetCertifying(settings->certify);
  ChangeSettings(*settings);
  return 0;
}

int Reset() {
  fault::Clear();
  ResetMachine();
  audit::ClearFindings();
  trace::ClearLog();
  ForgetCalls();
  return 0;
}

int AddFault(const culprit_fault* planned) {
  if (planned == nullptr || planned->size < sizeof(culprit_fault)) {
    return Fail("add_fault: the fault is null or smaller than version 1 of it");
  }
  fault::Fault fault;
  fault.name = "any";
  fault.site.entries = fault::AllEntries();
  if (planned->entry != nullptr) {
    fault.name = planned->entry;
    fault.site.entries = fault::EntriesNamed(planned->entry);
    if (fault.site.entries.none()) return Fail("add_fault: no entry is called " + fault.name);
  } else if (planned->family != nullptr) {
    fault.name = planned->family;
    fault.site.entries = fault::EntriesOfFamily(planned->family);
    if (fault.site.entries.none()) return Fail("add_fault: no family is called " + fault.name);
  }
  if (planned->nth == 0) return Fail("add_fault: nth counts from 1");
  if (planned->when > CULPRIT_FAULT_AFTER) return Fail("add_fault: no such `when`");
  if (planned->span > CULPRIT_FAULT_STICKY) return Fail("add_fault: no such `span`");
  if (!ResultNumbered(planned->result)) {
    return Fail("add_fault: " + std::to_string(planned->result) + " is no CUresult");
  }
  fault.name += " nth " + std::to_string(planned->nth);
  fault.site.thread = planned->thread;
  fault.trigger.nth = planned->nth;
  fault.times = planned->span == CULPRIT_FAULT_STICKY ? fault::kSticky : 1;
  fault.consequence.result = ResultNumbered(planned->result);
  fault.consequence.timing =
      planned->when == CULPRIT_FAULT_AFTER ? fault::Timing::kAfter : fault::Timing::kBefore;
  fault.optional = planned->optional != 0;
  const std::string objection = fault::Objection(fault);
  if (!objection.empty()) return Fail("add_fault: " + objection);
  return fault::Plan(std::move(fault));
}

int AddPlan(const char* plan_text, const char* name_for_errors) {
  if (plan_text == nullptr) return Fail("add_plan: the plan is null");
  std::string error;
  auto faults =
      fault::ParsePlan(plan_text, name_for_errors == nullptr ? "plan" : name_for_errors, &error);
  if (!faults) return Fail(error);
  const bool has_budget = std::ranges::any_of(*faults, [](const fault::Fault& fault) {
    return fault.consequence.memory_budget.has_value();
  });
  if (has_budget && !VendorLibrary().empty()) {
    return Fail("add_plan: a memory budget cannot be set on a vendor's driver");
  }
  for (fault::Fault& fault : *faults) fault::Plan(std::move(fault));
  return 0;
}

uint64_t FaultFired(int id) {
  return static_cast<uint64_t>(std::max<int64_t>(fault::TimesFired(id), 0));
}

int LiftFault(int id) {
  return fault::Lift(id) ? 0 : Fail("lift_fault: no fault " + std::to_string(id));
}

uint64_t CallsOfEntry(const char* entry) {
  if (entry == nullptr) return 0;
  const fault::Entries entries = fault::EntriesNamed(entry);
  uint64_t calls = 0;
  for (const ApiInfo& row : kApis) {
    if (entries.test(static_cast<size_t>(row.id))) calls += CallsOf(row.id);
  }
  return calls;
}

// As much of `answer` as the caller has room for, by the size that it has set.
template <typename Answer>
void GiveAnswer(const Answer& answer, Answer* out) {
  const uint32_t room = std::min<uint32_t>(out->size, sizeof(Answer));
  std::memcpy(out, &answer, room);
  if (room >= sizeof(out->size)) out->size = room;
}

void Live(culprit_live* out) {
  const LiveCounts live = CountLive();
  const culprit_live answer = {.size = sizeof(culprit_live),
                               .contexts = live.contexts,
                               .primary_retains = live.primary_retains,
                               .streams = live.streams,
                               .events = live.events,
                               .modules = live.modules,
                               .libraries = live.libraries,
                               .allocations = live.allocations,
                               .host_blocks = live.host_blocks,
                               .pools = live.pools,
                               .graphs = live.graphs,
                               .graph_execs = live.graph_execs,
                               .user_objects = live.user_objects,
                               .mappings = live.mappings,
                               .others = live.others,
                               .orphaned = live.orphaned,
                               .device_bytes = live.device_bytes,
                               .host_bytes = live.host_bytes};
  GiveAnswer(answer, out);
}

uint32_t FindingCount(int errors_only) {
  const auto findings = audit::Findings();
  return static_cast<uint32_t>(std::ranges::count_if(findings, [&](const audit::Finding& finding) {
    return errors_only == 0 || finding.severity == audit::Severity::kError;
  }));
}

size_t CompactLog(culprit_logged_call* out, size_t capacity) {
  const std::vector<trace::LoggedCall> calls = trace::LoggedCalls();
  for (size_t i = 0; out != nullptr && i < std::min(capacity, calls.size()); ++i) {
    const trace::LoggedCall& call = calls[i];
    out[i] = {.seq = call.sequence,
              .thread = call.thread,
              .entry = static_cast<uint32_t>(call.api),
              .nth = call.nth,
              .result = call.result,
              .fault = call.fault};
  }
  return calls.size();
}

size_t LoggedStack(uint64_t seq, const void** frames, size_t capacity) {
  const std::vector<const void*> stack = trace::StackOf(seq);
  if (frames != nullptr) std::copy_n(stack.begin(), std::min(capacity, stack.size()), frames);
  return stack.size();
}

void Launches(culprit_launches* out) {
  // Before `all`, which a launch counts first: threads that launch meanwhile never make the part
  // more than the whole.
  const uint64_t reused = CountedLaunches().reused.load(std::memory_order_acquire);
  const culprit_launches answer = {
      .size = sizeof(culprit_launches),
      .all = CountedLaunches().all.load(std::memory_order_relaxed),
      .reused = reused,
      .lane_instructions = CountedLaunches().lane_instructions.load(std::memory_order_relaxed)};
  GiveAnswer(answer, out);
}

constexpr culprit_control_table kTable = {
    .size = sizeof(culprit_control_table),
    .abi = CULPRIT_CONTROL_ABI,
    .last_error = LastError,
    .identity = Keep<IdentityAsJson>,
    .configure = Configure,
    .settings = Keep<SettingsText>,
    .reset = Reset,
    .harness_begin = [] { HarnessBegin(); },
    .harness_end = [] { HarnessEnd(); },
    .add_fault = AddFault,
    .add_plan = AddPlan,
    .fault_fired = FaultFired,
    .lift_fault = LiftFault,
    .clear_faults = fault::Clear,
    .unfired_faults = Keep<UnfiredFaultsAsJson>,
    .calls = [] { return CallsSinceReset(); },
    .calls_of = CallsOfEntry,
    .live = Live,
    .live_objects = Keep<LiveObjectsAsJson>,
    .stack_depth = [] { return ContextStackDepth(); },
    .threads = [] { return ThreadsSeen(); },
    .log_calls = [](int on) { trace::KeepLog(on != 0); },
    .call_log = Keep<CallLogAsJson>,
    .finding_count = FindingCount,
    .findings = Keep<FindingsAsJson>,
    .end_of_life = audit::AuditEndOfLife,
    .api_table = Keep<ApiTableAsJson>,
    .logged_calls = CompactLog,
    .log_stacks = [](int on) { trace::KeepStacks(on != 0); },
    .logged_stack = LoggedStack,
    .reuse_launches =
        [](int on) { CountedLaunches().reuse.store(on != 0, std::memory_order_relaxed); },
    .launches = Launches,
    .before_call = SetBeforeCall,
};

}  // namespace
}  // namespace culprit::fakedriver::control

extern "C" __attribute__((visibility("default"))) const culprit_control_table* culprit_control() {
  return &culprit::fakedriver::control::kTable;
}
