// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/first_error.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "inventory/rules/call_meaning.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {
namespace {

// What a function's calls say about its variables.
class ResultFlow {
 public:
  ResultFlow(const FlowGraph& graph, const CallMeaning& meaning)
      : graph_(graph), results_(graph.events.size()) {
    CollectResults(meaning);
    for (const Event& event : graph.events) {
      if (event.kind == EventKind::kAssign && event.value == Value::kCall && ResultOf(event.call))
        holders_.insert(event.path);
    }
    const std::set<std::string> direct = holders_;
    for (const Event& event : graph.events) {
      const bool copies = event.kind == EventKind::kAssign && event.value == Value::kPath &&
                          direct.contains(event.source);
      if (copies) holders_.insert(event.path);
    }
  }

  // Variables that receive results, directly or by a copy.
  const std::set<std::string>& holders() const { return holders_; }

  // The call whose result the value of `call` is: itself, or what it wraps, as CHECK(cuInit(0))
  // does. Null when none.
  const Event* ResultOf(int call) const { return results_[call]; }

  // Whether some statement hands the variable's value on, so that losing the variable need not lose
  // the error.
  bool IsSavedElsewhere(const std::string& variable) const {
    for (const Event& event : graph_.events) {
      const bool other_target = event.kind == EventKind::kAssign && event.path != variable;
      if (other_target && event.source == variable) return true;
      if (other_target && event.value == Value::kOther && ReadsWithin(event, variable)) return true;
      if (event.kind == EventKind::kRead && event.path == variable && event.parent >= 0)
        return true;
    }
    return false;
  }

 private:
  bool ReadsWithin(const Event& assignment, const std::string& variable) const {
    for (const Event& event : graph_.events) {
      const bool inside =
          event.begin >= assignment.statement_begin && event.end <= assignment.statement_end;
      if (event.kind == EventKind::kRead && inside && event.path == variable) return true;
    }
    return false;
  }

  void CollectResults(const CallMeaning& meaning) {
    std::vector<bool> wraps(graph_.events.size());
    for (size_t i = 0; i < graph_.events.size(); ++i) {
      const Event& event = graph_.events[i];
      if (event.kind != EventKind::kCall || !meaning.CarriesResult(event)) continue;
      if (!wraps[i]) results_[i] = &event;
      if (event.parent < 0 || wraps[event.parent]) continue;
      results_[event.parent] = &event;
      wraps[event.parent] = true;
    }
  }

  const FlowGraph& graph_;
  std::vector<const Event*> results_;  // of each call
  std::set<std::string> holders_;
};

// The state of a path: the assignment whose result the variable holds, plus one, times two; plus
// one while nobody has read it.
class FirstErrorRule {
 public:
  FirstErrorRule(const PathPlan& plan, const CallMeaning& meaning, const ResultFlow& flow,
                 const std::string& variable)
      : graph_(plan.graph()),
        meaning_(meaning),
        flow_(flow),
        variable_(variable),
        tracked_(plan.VariableOf(variable)),
        saved_elsewhere_(flow.IsSavedElsewhere(variable)) {}

  // Values are told apart by the branches that test them; no call has to be split for that.
  bool HasOutcome(const Event&) const { return false; }

  uint32_t OnEvent(int index, Known, uint32_t state, const PathValues& values) {
    const Event& event = graph_.events[index];
    if (event.kind == EventKind::kRead && event.path == variable_) return state & ~1u;
    if (event.kind != EventKind::kAssign || event.path != variable_) return state;
    if (event.mentions_target || event.operation != "=") return state & ~1u;
    const bool by_call = event.value == Value::kCall && flow_.ResultOf(event.call);
    const bool by_copy = event.value == Value::kPath && flow_.holders().contains(event.source);
    if (!by_call && !by_copy) {
      // A result that nobody has read may be an error, whatever takes its place.
      if ((state & 1) != 0 && !event.declares)
        findings_.insert({index, static_cast<int>(state / 2) - 1});
      return 0;
    }
    if (state != 0 && !event.declares && Loses(event, state, values))
      findings_.insert({index, static_cast<int>(state / 2) - 1});
    return (static_cast<uint32_t>(index) + 1) * 2 + (by_call ? 1 : 0);
  }

  void OnExit(const Block&, Known, uint32_t) {}

  // Pairs of overwriting and overwritten assignment.
  const std::set<std::pair<int, int>>& findings() const { return findings_; }

 private:
  bool Loses(const Event& event, uint32_t state, const PathValues& values) const {
    const bool unread = (state & 1) != 0;
    const bool holds_error = values.Get(tracked_) == Known::kNonZero && !saved_elsewhere_;
    if (event.value == Value::kPath) return unread || holds_error;
    const Event& held = graph_.events[state / 2 - 1];
    const Event& call = *flow_.ResultOf(event.call);
    const Event* earlier = held.call >= 0 ? flow_.ResultOf(held.call) : nullptr;
    const bool retries =
        earlier && earlier->path == call.path && earlier->arguments == call.arguments;
    if (unread) return !retries;
    // What replaces an error on purpose is another attempt; what replaces it in passing is
    // clean-up.
    const bool cleans_up = meaning_.Releases(call) || meaning_.IsPop(call) ||
                           (call.entry && call.entry->role == Role::kWaits);
    return holds_error && cleans_up && !retries;
  }

  const FlowGraph& graph_;
  const CallMeaning& meaning_;
  const ResultFlow& flow_;
  const std::string& variable_;
  int tracked_;
  bool saved_elsewhere_;
  std::set<std::pair<int, int>> findings_;
};

void CheckVariable(const FileView& view, const PathPlan& plan, const CallMeaning& meaning,
                   const ResultFlow& flow, const std::string& variable, FindingSink* sink) {
  FirstErrorRule rule(plan, meaning, flow, variable);
  if (!PathWalker(plan, &rule).Walk(0)) return;
  int reported = -1;
  for (const auto& [overwriting, overwritten] : rule.findings()) {
    if (overwriting == reported) continue;
    reported = overwriting;
    const Event& event = plan.graph().events[overwriting];
    const Event& first = plan.graph().events[overwritten];
    Finding* finding = sink->Add(
        RuleId::kFirstErrorLost, event.begin, event.end, plan.graph().function,
        fmt::format("'{}' may hold an error, which this assignment replaces; keep the first one",
                    variable));
    if (finding)
      finding->notes.push_back(
          {LocationOf(view.file, first.begin, first.end), "the earlier result was stored here"});
  }
}

}  // namespace

void CheckFirstError(const FileView& view, FindingSink* sink) {
  const CallMeaning meaning(view);
  for (const FlowGraph& graph : view.graphs) {
    const ResultFlow flow(graph, meaning);
    if (flow.holders().empty()) continue;
    const PathPlan& plan = view.PlanOf(graph);
    for (const std::string& variable : flow.holders())
      CheckVariable(view, plan, meaning, flow, variable, sink);
  }
}

}  // namespace culprit::inventory
