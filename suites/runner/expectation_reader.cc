// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/expectation_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suites/runner/driver_result.h"
#include "suites/runner/live_objects.h"

namespace culprit::suites {
namespace {

constexpr uint64_t kMost = uint64_t{1} << 53;

ReportedError ReadReported(const YamlView& node) {
  ReportedError reported;
  node.AllowKeys("a reported error", {"result", "entry", "step"});
  const YamlView result = node.Require("a reported error", "result");
  const auto value = DriverResultValue(result.Text());
  if (!value || *value == 0) result.Fail(fmt::format("'{}' is no CUresult", result.Text()));
  reported.result = *value;
  if (const auto entry = node.Find("entry")) reported.entry = entry->Text();
  if (const auto step = node.Find("step")) {
    reported.step = StepKindOf(step->Text());
    if (!reported.step) step->Fail(fmt::format("'{}' is no step", step->Text()));
  }
  return reported;
}

// The settings that the other run has instead of this one's.
nlohmann::json ReadOtherSettings(const YamlView& node) {
  node.AllowKeys("same_as", {"extractors", "threads", "preallocate", "policy", "caller"});
  nlohmann::json other = nlohmann::json::object();
  for (const auto& [key, value] : node.Entries()) {
    if (key == "extractors") {
      other[key] = value.Texts();
    } else if (key == "policy" || key == "caller") {
      other[key] = value.Text();
    } else {
      other[key] = value.Unsigned(1024);
    }
  }
  return other;
}

ScoreExpectation ReadScores(const YamlView& node) {
  ScoreExpectation scores;
  if (node.IsText()) {
    if (node.Text() != "golden") node.Fail("scores are 'golden' or a map");
    scores.kind = ScoreExpectation::Kind::kGolden;
    return scores;
  }
  node.AllowKeys("scores", {"same_as", "renamed", "constant", "keys"});
  const auto same_as = node.Find("same_as");
  const auto constant = node.Find("constant");
  if (same_as.has_value() == constant.has_value()) {
    node.Fail("scores are 'golden', same_as other settings, or constant");
  }
  if (same_as) {
    scores.kind = ScoreExpectation::Kind::kSameAs;
    scores.same_as = ReadOtherSettings(*same_as);
  } else {
    scores.kind = ScoreExpectation::Kind::kConstant;
    scores.constant = constant->Number();
  }
  if (const auto renamed = node.Find("renamed")) {
    for (const auto& [key, value] : renamed->Entries()) scores.same_keys[key] = value.Text();
  }
  if (const auto keys = node.Find("keys")) scores.keys = keys->Texts();
  return scores;
}

CallExpectation ReadCalls(const YamlView& node) {
  CallExpectation calls;
  node.AllowKeys("calls", {"in_order", "absent", "after_fault_only", "count"});
  if (const auto list = node.Find("in_order")) calls.in_order = list->Texts();
  if (const auto list = node.Find("absent")) calls.absent = list->Texts();
  if (const auto list = node.Find("after_fault_only")) calls.after_fault_only = list->Texts();
  if (const auto count = node.Find("count")) {
    for (const auto& [entry, value] : count->Entries()) calls.count[entry] = value.Unsigned(kMost);
  }
  return calls;
}

}  // namespace

Expectations ReadExpectations(const YamlView& node) {
  Expectations expect;
  node.AllowKeys("expect",
                 {"live", "findings", "reported", "scores", "calls", "steady", "warnings"});
  if (const auto live = node.Find("live")) {
    for (const auto& [kind, value] : live->Entries()) {
      if (!LiveCount({}, kind)) {
        value.Fail(fmt::format("'{}' is no kind of object; known: {}", kind,
                               fmt::join(LiveKinds(), ", ")));
      }
      expect.live[kind] = value.Unsigned(kMost);
    }
  }
  if (const auto findings = node.Find("findings")) expect.findings = findings->Texts();
  if (const auto reported = node.Find("reported")) expect.reported = ReadReported(*reported);
  if (const auto scores = node.Find("scores")) expect.scores = ReadScores(*scores);
  if (const auto calls = node.Find("calls")) expect.calls = ReadCalls(*calls);
  if (const auto steady = node.Find("steady")) expect.steady = steady->Flag();
  if (const auto warnings = node.Find("warnings")) {
    if (warnings->Text() != "fail") warnings->Fail("warnings can only be made to 'fail'");
    expect.warnings_fail = true;
  }
  return expect;
}

}  // namespace culprit::suites
