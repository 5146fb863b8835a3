// SPDX-License-Identifier: Apache-2.0
//
// The caller's contexts. Some injections make restoring impossible, and then only a report is
// demanded: a pop that fails for good or twice in one call, or whose look at the current context
// fails, and a push, set or create that changed the stack and still said it failed.
#include <fmt/format.h>

#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

// What an injection did to the stack behind the subject's back during this call.
struct Excuse {
  uint32_t deeper = 0;       // entries that the subject cannot know of
  bool any_depth = false;    // pops, or sets, that fail for good
  bool any_current = false;  // a set-current that had its effect
};

Excuse ExcuseFor(const PortCall& call, const std::vector<Fault>& faults) {
  Excuse excuse;
  for (size_t i = 0; i < faults.size(); ++i) {
    const uint64_t fired = call.fired_after[i] - call.fired_before[i];
    if (fired == 0) continue;
    const std::string entry = LookupName(faults[i].entry);
    const bool after = faults[i].when == FaultWhen::kAfter;
    const bool restores = entry == "cuCtxPopCurrent" || entry == "cuCtxSetCurrent";
    if (restores && faults[i].span == FaultSpan::kSticky) {
      excuse.any_depth = true;
    } else if (after && (entry == "cuCtxPushCurrent" || entry == "cuCtxCreate")) {
      excuse.deeper += static_cast<uint32_t>(fired);
    } else if (after && entry == "cuCtxSetCurrent") {
      excuse.any_current = true;
    }
  }
  return excuse;
}

}  // namespace

bool RestorationPrevented(const PortCall& call, const std::vector<Fault>& faults) {
  uint64_t restoring = 0;
  uint64_t looking = 0;
  for (size_t i = 0; i < faults.size(); ++i) {
    const uint64_t fired = call.fired_after[i] - call.fired_before[i];
    const std::string entry = LookupName(faults[i].entry);
    if (entry == "cuCtxPopCurrent" || entry == "cuCtxSetCurrent") restoring += fired;
    if (entry == "cuCtxGetCurrent") looking += fired;
  }
  return restoring != 0 && restoring + looking > 1 && call.failed();
}

void JudgeContexts(const Observation& seen, Findings* findings) {
  for (const PortCall& call : seen.record.calls) {
    if (call.before == call.after) continue;
    const Excuse excuse = ExcuseFor(call, seen.faults);
    if (excuse.any_depth || RestorationPrevented(call, seen.faults)) continue;
    if (excuse.deeper != 0 && call.after.depth > call.before.depth &&
        call.after.depth <= call.before.depth + excuse.deeper) {
      continue;
    }
    if (excuse.any_current && call.after.depth <= call.before.depth + 1) continue;
    findings->push_back(
        {.id = "context.stack_imbalance",
         .message = fmt::format(
             "{} left the calling thread with context {} at depth {}; it found {} at depth {}",
             call.Name(), fmt::ptr(call.after.current), call.after.depth,
             fmt::ptr(call.before.current), call.before.depth),
         .step = call.Name(),
         .details = {{"depth_before", call.before.depth},
                     {"depth_after", call.after.depth},
                     {"calls", {call.calls_before + 1, call.calls_after}}}});
    return;  // what follows from the first is noise
  }
}

}  // namespace culprit::suites
