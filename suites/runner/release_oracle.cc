// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "suites/runner/live_objects.h"
#include "suites/runner/oracle.h"

namespace culprit::suites {
namespace {

void Report(const char* id, std::string step, std::string message, Findings* findings) {
  findings->push_back({.id = id, .message = std::move(message), .step = std::move(step)});
}

void JudgeRetries(const Observation& seen, Findings* findings) {
  if (!seen.promises.retry_close || !seen.record.owner_left) return;
  for (auto call = seen.record.calls.rbegin(); call != seen.record.calls.rend(); ++call) {
    if (call->failed() && !call->expected_to_fail && call->attempt > 1) {
      Report("port.retry_failed", call->Name(),
             fmt::format("{} still fails after every fault was lifted", call->Name()), findings);
      return;
    }
  }
}

void JudgeLive(const Observation& seen, Findings* findings) {
  const culprit_live& live = seen.record.live;
  for (const auto& [kind, expected] : seen.scenario.expect.live) {
    const uint64_t count = LiveCount(live, kind).value_or(0);
    if (count != expected) {
      Report("port.live_objects", "",
             fmt::format("{} {} alive at the end, {} expected", count, kind, expected), findings);
    }
  }
  if (!seen.scenario.expect.steady) return;
  const auto& cycles = seen.record.live_after_cycle;
  for (size_t i = 1; i < cycles.size(); ++i) {
    for (const std::string& kind : LiveKinds()) {
      const uint64_t first = LiveCount(cycles[0], kind).value_or(0);
      const uint64_t now = LiveCount(cycles[i], kind).value_or(0);
      if (first == now) continue;
      Report("port.live_objects", "",
             fmt::format("{} {} alive after cycle {}, {} after the first", now, kind, i + 1, first),
             findings);
      return;
    }
  }
}

}  // namespace

void JudgeRelease(const Observation& seen, Findings* findings) {
  for (const PortCall& call : seen.record.calls) {
    if (!call.broken_promise.empty()) {
      Report("port.promise_broken", call.Name(),
             fmt::format("{}: {}", call.Name(), call.broken_promise), findings);
    }
  }
  JudgeRetries(seen, findings);
  JudgeLive(seen, findings);
}

}  // namespace culprit::suites
