// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/in_child.h"

#include <set>

#include "suites/runner/child_answers.h"
#include "suites/runner/failure_trace.h"

namespace culprit::suites {
namespace {

Settings Changed(const Settings& settings, const nlohmann::json& changes) {
  nlohmann::json json = ToJson(settings);
  json.update(changes);
  return SettingsFromJson(json);
}

// The scores of the scenario under the settings that it must agree with.
std::vector<ScoreSeries> ScoresUnderOtherSettings(const CaseGroup& group,
                                                  const CaseContext& context, ChildLink& link) {
  const Settings other = Changed(group.settings, group.scenario.expect.scores.same_as);
  const CaseContext other_context{context.port,     context.driver, context.clip,
                                  context.scenario, other,          context.promises};
  CaseRunner runner(other_context, link.box());
  runner.Run(0, group.scenario.faults, {});
  return runner.record().scores;
}

}  // namespace

void RunUndisturbed(const CaseGroup& group, const CaseContext& context, ChildLink& link) {
  std::vector<ScoreSeries> expected;
  CaseContext judged = context;
  if (group.scenario.expect.scores.kind == ScoreExpectation::Kind::kSameAs) {
    expected = ScoresUnderOtherSettings(group, context, link);
    if (!expected.empty()) judged.expected = &expected;
  }
  CaseRunner runner(judged, link.box());
  const CaseResult result =
      runner.Run(0, group.scenario.faults, {.log = true, .stacks = true, .describe = true});
  uint64_t outside = 0;
  const std::vector<CallMade> calls =
      CallsOfSteps(context.driver.table(), runner.log(), runner.record(), 0, &outside);
  link.Send(nlohmann::json{{"case", ToJson(result)},
                           {"scores", ScoresToJson(runner.record().scores)},
                           {"expected", ScoresToJson(expected)},
                           {"calls", CallsToJson(calls)},
                           {"outside", outside},
                           {"sites", runner.sites().Json()}}
                .dump());
}

void RunBatch(const CaseGroup& group, const CaseContext& context,
              const std::vector<uint32_t>& indexes, ChildLink& link) {
  CaseRunner runner(context, link.box());
  std::set<uint64_t> behaviours;
  for (const uint32_t index : indexes) {
    const std::vector<Fault> faults = group.FaultsOf(index);
    const bool sequel = group.scenario.sweep->pairs && group.IsSingle(index);
    const bool teardown =
        group.IsSingle(index) && context.driver.table().Destroys(faults.front().entry);
    const CaseResult result = runner.Run(index, faults, {.log = sequel, .stacks = teardown});
    nlohmann::json answer = {{"case", ToJson(result)}};
    if (const uint64_t hit = sequel ? FirstFaulted(runner.log()) : 0; hit != 0) {
      Sequel went_on{BehaviourAfter(runner.log(), hit), std::nullopt};
      if (behaviours.insert(went_on.behaviour).second) {
        went_on.after = CallsOfSteps(context.driver.table(), runner.log(), runner.record(), hit);
      }
      answer["sequel"] = SequelToJson(went_on);
    }
    const bool last = index == indexes.back() || runner.LeftSomething();
    if (last && !runner.sites().empty()) answer["sites"] = runner.sites().Json();
    link.Send(answer.dump());
    if (last) return;
  }
}

void RunAlone(const CaseGroup& group, const CaseContext& context, uint32_t index, ChildLink& link) {
  CaseRunner runner(context, link.box());
  const CaseResult result =
      runner.Run(index, group.FaultsOf(index), {.log = true, .stacks = true, .describe = true});
  link.Send(nlohmann::json{{"case", ToJson(result)}, {"steps", StepsOf(runner.record())}}.dump());
}

}  // namespace culprit::suites
