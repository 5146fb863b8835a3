// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/suite_reader.h"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "input/text_file.h"
#include "suites/runner/digest.h"
#include "suites/runner/expectation_reader.h"
#include "suites/runner/policy.h"
#include "suites/runner/step_reader.h"
#include "suites/runner/swept_steps.h"
#include "suites/runner/yaml_view.h"

namespace culprit::suites {
namespace {

constexpr uint64_t kMostFrames = 100000;
constexpr uint64_t kMostSamples = 16384;

template <typename Enum>
std::vector<Enum> ReadChoices(const YamlView& list, const char* what) {
  std::vector<Enum> choices;
  for (const YamlView& item : list.SomeItems()) {
    Enum choice{};
    if (!Parse(item.Text(), &choice)) item.Fail(fmt::format("'{}' is no {}", item.Text(), what));
    choices.push_back(choice);
  }
  return choices;
}

std::vector<uint32_t> ReadCounts(const YamlView& list, uint64_t most) {
  std::vector<uint32_t> counts;
  for (const YamlView& item : list.SomeItems()) {
    counts.push_back(static_cast<uint32_t>(item.Unsigned(0, most)));
  }
  return counts;
}

template <typename Known>
std::vector<std::string> ReadNames(const YamlView& list, const Known& known, const char* what) {
  std::vector<std::string> names;
  for (const YamlView& item : list.SomeItems()) {
    if (std::find(known.begin(), known.end(), item.Text()) == known.end()) {
      item.Fail(fmt::format("'{}' is no {}; known: {}", item.Text(), what, fmt::join(known, ", ")));
    }
    names.push_back(item.Text());
  }
  return names;
}

Requirements ReadSubject(const YamlView& node) {
  Requirements subject;
  node.AllowKeys("a subject", {"kind", "needs", "operations"});
  const YamlView kind = node.Require("a subject", "kind");
  if (kind.Text() == "operations") {
    subject.kind = Requirements::Kind::kOperations;
    subject.operations = node.Require("a subject of kind operations", "operations").Texts();
  } else if (kind.Text() != "extractor") {
    kind.Fail(fmt::format("'{}' is no kind of subject; known: extractor, operations", kind.Text()));
  }
  if (const auto needs = node.Find("needs")) {
    constexpr std::array kAbilities = {"threads", "preallocate", "retry_close", "foreign_context",
                                       "operate"};
    subject.abilities = ReadNames(*needs, kAbilities, "ability");
  }
  return subject;
}

bool IsFileName(const std::string& name) {
  return name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
             std::string::npos &&
         name.front() != '.';
}

ClipChoice ReadClip(const YamlView& node) {
  ClipChoice clip;
  node.AllowKeys("a clip", {"name", "width", "height", "frames"});
  if (const auto name = node.Find("name")) {
    clip.name = name->Text();
    clip.where = name->where();
    clip.frames = UINT32_MAX;
    if (!IsFileName(clip.name)) {
      name->Fail("a clip has the name of its files: letters, digits, '_', '-' and '.'");
    }
  }
  for (const auto& [key, most, out] : {std::tuple{"width", kMostSamples, &clip.width},
                                       {"height", kMostSamples, &clip.height},
                                       {"frames", kMostFrames, &clip.frames}}) {
    const auto value = node.Find(key);
    if (!value) continue;
    if (!clip.name.empty() && out != &clip.frames) {
      value->Fail("a named clip has its own size; only a pattern can be given one");
    }
    *out = static_cast<uint32_t>(value->Unsigned(1, most));
  }
  return clip;
}

Matrix ReadMatrix(const YamlView& node) {
  Matrix matrix;
  node.AllowKeys("a matrix", {"extractors", "bits", "threads", "preallocate", "caller", "state"});
  if (const auto extractors = node.Find("extractors")) {
    matrix.extractors.clear();
    for (const YamlView& item : extractors->SomeItems()) {
      matrix.extractors.push_back(item.IsList() ? item.Texts() : std::vector{item.Text()});
      const std::string& first = matrix.extractors.back().front();
      if (!item.IsList() && first != "each" && first != "some" && first != "all") {
        item.Fail(
            fmt::format("'{0}' is none of: each, some, all; for the extractor of this name "
                        "write the list [{0}]",
                        first));
      }
    }
  }
  if (const auto bits = node.Find("bits")) {
    matrix.bits = ReadCounts(*bits, 16);
    for (const YamlView& item : bits->Items()) {
      const uint64_t depth = item.Unsigned(0, 16);
      if (depth != 8 && depth != 10 && depth != 12 && depth != 16) item.Fail("8, 10, 12 or 16");
    }
  }
  if (const auto threads = node.Find("threads"))
    matrix.threads = ReadCounts(*threads, kMostThreads);
  if (const auto ring = node.Find("preallocate"))
    matrix.preallocate = ReadCounts(*ring, kMostPictures);
  if (const auto caller = node.Find("caller")) {
    matrix.caller = ReadChoices<CallerContext>(*caller, "caller context: none, owner, foreign");
  }
  if (const auto state = node.Find("state")) {
    matrix.state = ReadChoices<StateContext>(*state, "state context: primary, given");
  }
  return matrix;
}

Sweep ReadSweep(const YamlView& node) {
  Sweep sweep;
  node.AllowKeys("a sweep", {"results", "when", "span", "during", "followed_by", "pairs"});
  if (const auto results = node.Find("results")) {
    if (results->Text() == "documented") {
      sweep.results = Sweep::Results::kDocumented;
    } else if (results->Text() != "one") {
      results->Fail("results are 'one' or 'documented'");
    }
  }
  if (const auto when = node.Find("when")) {
    sweep.when = ReadChoices<FaultWhen>(*when, "moment: before, after");
  }
  if (const auto span = node.Find("span")) {
    sweep.span = ReadChoices<FaultSpan>(*span, "span: once, sticky");
  }
  if (const auto during = node.Find("during")) {
    sweep.during_where = during->where();
    for (const YamlView& item : during->SomeItems()) {
      const auto kind = StepKindOf(item.Text());
      if (!kind) item.Fail(fmt::format("'{}' is no step", item.Text()));
      sweep.during.push_back(*kind);
    }
  }
  if (const auto followed_by = node.Find("followed_by")) {
    sweep.followed_by = ReadFaults(*followed_by);
    for (Fault& fault : sweep.followed_by) fault.optional = true;
  }
  if (const auto pairs = node.Find("pairs")) {
    if (!sweep.followed_by.empty()) pairs->Fail("pairs and followed_by exclude each other");
    sweep.pairs = pairs->Flag();
  }
  return sweep;
}

// Steps, faults and expectations of the suite are those of every scenario that has none of its own.
struct Shared {
  std::vector<Step> steps;
  Expectations expect;
  std::optional<Sweep> sweep;
};

Scenario ReadScenario(const YamlView& node, const Shared& shared) {
  Scenario scenario;
  node.AllowKeys("a scenario",
                 {"name", "faults", "steps", "expect", "sweep", "cycles", "matrix", "clip"});
  scenario.where = node.where();
  scenario.name = node.Require("a scenario", "name").Text();
  if (const auto faults = node.Find("faults")) scenario.faults = ReadFaults(*faults);
  const auto steps = node.Find("steps");
  scenario.steps = steps ? ReadSteps(*steps) : shared.steps;
  if (scenario.steps.empty()) node.Fail("a scenario needs steps, its own or the suite's");
  const auto expect = node.Find("expect");
  scenario.expect = expect ? ReadExpectations(*expect) : shared.expect;
  if (const auto sweep = node.Find("sweep")) {
    if (!scenario.faults.empty()) sweep->Fail("a scenario with faults of its own cannot sweep");
    scenario.sweep = ReadSweep(*sweep);
  } else if (scenario.faults.empty()) {
    scenario.sweep = shared.sweep;
  }
  if (const auto matrix = node.Find("matrix")) scenario.matrix = ReadMatrix(*matrix);
  if (const auto clip = node.Find("clip")) scenario.clip = ReadClip(*clip);
  if (const auto cycles = node.Find("cycles")) {
    scenario.cycles = static_cast<uint32_t>(cycles->Unsigned(1, 1000));
  }
  return scenario;
}

std::vector<Scenario> ReadScenarios(const YamlView& root) {
  Shared shared;
  if (const auto steps = root.Find("steps")) shared.steps = ReadSteps(*steps);
  if (const auto expect = root.Find("expect")) shared.expect = ReadExpectations(*expect);
  if (const auto sweep = root.Find("sweep")) shared.sweep = ReadSweep(*sweep);
  std::vector<Scenario> scenarios;
  std::set<std::string> names;
  if (const auto list = root.Find("scenarios")) {
    if (const auto faults = root.Find("faults")) {
      faults->Fail("where there are scenarios, each has its own faults");
    }
    for (const YamlView& item : list->SomeItems()) {
      scenarios.push_back(ReadScenario(item, shared));
      if (!names.insert(scenarios.back().name).second) item.Fail("two scenarios have this name");
    }
  } else {
    if (shared.steps.empty()) root.Fail("a suite needs steps or scenarios");
    scenarios.push_back({.name = "life_cycle",
                         .where = root.where(),
                         .faults = {},
                         .steps = shared.steps,
                         .expect = shared.expect,
                         .sweep = shared.sweep,
                         .matrix = {},
                         .clip = {}});
    if (const auto faults = root.Find("faults")) scenarios.back().faults = ReadFaults(*faults);
  }
  return scenarios;
}

std::vector<std::string> ReadRules(const YamlView& node) {
  std::vector<std::string> rules;
  for (const YamlView& item : node.SomeItems()) {
    const std::string id = item.Text();
    if (RuleOfId(id) == nullptr) {
      item.Fail(fmt::format("'{}' is no rule; docs/rules lists them", id));
    }
    rules.push_back(id);
  }
  return rules;
}

}  // namespace

Suite ParseSuite(const std::string& text, const std::string& path) {
  const YamlView root = YamlView::Parse(text, path);
  root.AllowKeys("a suite",
                 {"suite", "version", "title", "rules", "subject", "profiles", "policies", "clip",
                  "matrix", "scenarios", "faults", "steps", "expect", "sweep", "timeout_s"});
  Suite suite;
  suite.path = path;
  suite.sha256 = Sha256(text);
  const YamlView name = root.Require("a suite", "suite");
  suite.name = name.Text();
  if (std::filesystem::path(path).stem() != suite.name) {
    name.Fail(fmt::format("suite '{}' must be in a file of its name", suite.name));
  }
  suite.version = static_cast<uint32_t>(root.Require("a suite", "version").Unsigned(0, 1000000));
  suite.title = root.Require("a suite", "title").Text();
  if (const auto rules = root.Find("rules")) suite.rules = ReadRules(*rules);
  suite.subject = ReadSubject(root.Require("a suite", "subject"));
  if (const auto profiles = root.Find("profiles")) {
    suite.profiles = ReadNames(*profiles, kProfiles, "profile");
  }
  if (const auto policies = root.Find("policies")) {
    suite.policies = ReadNames(*policies, kPolicies, "policy");
  }
  if (const auto clip = root.Find("clip")) suite.clip = ReadClip(*clip);
  if (const auto matrix = root.Find("matrix")) suite.matrix = ReadMatrix(*matrix);
  if (const auto timeout = root.Find("timeout_s")) {
    suite.timeout_s = static_cast<uint32_t>(timeout->Unsigned(1, 3600));
  }
  suite.scenarios = ReadScenarios(root);
  DemandSweptSteps(suite);
  return suite;
}

Suite ReadSuite(const std::string& path) { return ParseSuite(ReadTextFile(path), path); }

}  // namespace culprit::suites
