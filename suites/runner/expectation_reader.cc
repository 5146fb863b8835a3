// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/expectation_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suites/runner/driver_entry.h"
#include "suites/runner/driver_result.h"
#include "suites/runner/live_objects.h"
#include "suites/runner/policy.h"
#include "suites/runner/step_reader.h"

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
  if (const auto entry = node.Find("entry")) reported.entry = ReadEntry(*entry);
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
    } else if (key == "policy") {
      if (std::find(kPolicies.begin(), kPolicies.end(), value.Text()) == kPolicies.end()) {
        value.Fail(
            fmt::format("'{}' is no policy; known: {}", value.Text(), fmt::join(kPolicies, ", ")));
      }
      other[key] = value.Text();
    } else if (key == "caller") {
      CallerContext caller{};
      if (!Parse(value.Text(), &caller)) value.Fail("caller is none, owner or foreign");
      other[key] = value.Text();
    } else {
      other[key] = value.Unsigned(0, key == "threads" ? kMostThreads : kMostPictures);
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
  for (const auto& [key, out] : {std::pair{"in_order", &calls.in_order},
                                 {"absent", &calls.absent},
                                 {"after_fault_only", &calls.after_fault_only}}) {
    const auto list = node.Find(key);
    if (!list) continue;
    for (const YamlView& item : list->SomeItems()) out->push_back(ReadEntry(item));
  }
  if (const auto count = node.Find("count")) {
    for (const auto& [entry, value] : count->Entries()) {
      if (!IsDriverEntry(entry)) value.Fail(fmt::format("the driver has no entry '{}'", entry));
      calls.count[entry] = value.Unsigned(0, kMost);
    }
  }
  return calls;
}

}  // namespace

std::string ReadFinding(const YamlView& node) {
  std::string finding = node.Text();
  if (RuleOfFinding(finding) == nullptr) {
    node.Fail(fmt::format("'{}' is no finding; docs/findings lists them", finding));
  }
  return finding;
}

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
      expect.live[kind] = value.Unsigned(0, kMost);
    }
  }
  if (const auto findings = node.Find("findings")) {
    for (const YamlView& item : findings->Items()) expect.findings.push_back(ReadFinding(item));
  }
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
