// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/context_balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "inventory/rules/call_meaning.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {
namespace {

constexpr int kDeepest = 6;

// The state of a path: pushed minus popped, and whether the last pop failed. A failed pop changes
// nothing, so its retry counts once; what happens after a driver has refused every pop is no
// imbalance of the code's.
struct Depth {
  int depth = 0;
  bool pop_failed = false;

  uint32_t Pack() const { return static_cast<uint32_t>(depth + kDeepest) * 2 + pop_failed; }
  static Depth Unpack(uint32_t state) {
    return {static_cast<int>(state / 2) - kDeepest, (state & 1) != 0};
  }
};

class BalanceRule {
 public:
  BalanceRule(const FlowGraph& graph, const CallMeaning& meaning)
      : graph_(graph), meaning_(meaning) {}

  bool HasOutcome(const Event& event) const {
    return meaning_.IsPush(event) || meaning_.IsPop(event);
  }

  uint32_t OnEvent(int index, Known outcome, uint32_t state, const PathValues&) const {
    const Event& event = graph_.events[index];
    if (event.kind != EventKind::kCall) return state;
    Depth path = Depth::Unpack(state);
    if (meaning_.IsPush(event)) {
      if (outcome != Known::kNonZero) path.depth = std::min(path.depth + 1, kDeepest);
    } else if (meaning_.IsPop(event)) {
      path.pop_failed = outcome == Known::kNonZero;
      if (!path.pop_failed) path.depth = std::max(path.depth - 1, -kDeepest);
    } else if (event.entry && event.entry->lookup == "cuCtxDestroy") {
      path.depth = path.depth > 0 ? path.depth - 1
                                  : path.depth;  // a current context leaves the stack with its end
    }
    return path.Pack();
  }

  void OnExit(const Block& block, Known, uint32_t state) {
    if (block.exit == ExitKind::kProcessEnds || block.exit == ExitKind::kThrow) return;
    const Depth path = Depth::Unpack(state);
    if (!path.pop_failed) exits_[{block.exit_begin, block.exit_end}].insert(path.depth);
  }

  // Place of each exit to the depths that paths reach it with.
  const std::map<std::pair<uint32_t, uint32_t>, std::set<int>>& exits() const { return exits_; }

 private:
  const FlowGraph& graph_;
  const CallMeaning& meaning_;
  std::map<std::pair<uint32_t, uint32_t>, std::set<int>> exits_;
};

bool Names(const std::vector<std::string>& helpers, std::string_view function) {
  return std::any_of(helpers.begin(), helpers.end(),
                     [&](const std::string& helper) { return NamesFunction(helper, function); });
}

// "Guard::Guard" and "Guard::~Guard": a guard's constructor pushes and its destructor pops.
bool IsConstructor(std::string_view function) {
  const std::string_view name = LastComponent(function);
  const std::string_view scope = function.substr(0, function.size() - name.size());
  return scope.ends_with("::") && LastComponent(scope.substr(0, scope.size() - 2)) == name;
}

bool IsDestructor(std::string_view function) { return LastComponent(function).starts_with('~'); }

std::string Message(int depth) {
  if (depth > 0) {
    return fmt::format(
        "the function ends here with {} context{} still pushed; pop on every path, or name the "
        "function in "
        "[context] push",
        depth, depth == 1 ? "" : "s");
  }
  return fmt::format(
      "the function ends here having popped {} context{} that it did not push; or name it in "
      "[context] pop",
      -depth, depth == -1 ? "" : "s");
}

const Event* FirstCall(const FlowGraph& graph, const CallMeaning& meaning, bool push) {
  for (const Event& event : graph.events) {
    if (event.kind == EventKind::kCall && (push ? meaning.IsPush(event) : meaning.IsPop(event)))
      return &event;
  }
  return nullptr;
}

void CheckFunction(const FileView& view, const FlowGraph& graph, const CallMeaning& meaning,
                   FindingSink* sink) {
  if (!FirstCall(graph, meaning, true) && !FirstCall(graph, meaning, false)) return;
  if (Names(view.contract.push_helpers, graph.function) ||
      Names(view.contract.pop_helpers, graph.function))
    return;
  const PathPlan& plan = view.PlanOf(graph);
  BalanceRule rule(graph, meaning);
  if (!PathWalker(plan, &rule).Walk(Depth{}.Pack())) return;
  for (const auto& [place, depths] : rule.exits()) {
    const int worst = *depths.rbegin() > 0 ? *depths.rbegin() : *depths.begin();
    if (worst == 0 || (worst > 0 && IsConstructor(graph.function)) ||
        (worst < 0 && IsDestructor(graph.function)))
      continue;
    Finding* finding = sink->Add(RuleId::kContextImbalance, place.first, place.second,
                                 graph.function, Message(worst));
    const Event* cause = FirstCall(graph, meaning, worst > 0);
    if (finding && cause) {
      finding->notes.push_back({LocationOf(view.file, cause->begin, cause->end),
                                worst > 0 ? "pushed here" : "popped here"});
    }
  }
}

}  // namespace

void CheckContextBalance(const FileView& view, FindingSink* sink) {
  const CallMeaning meaning(view);
  for (const FlowGraph& graph : view.graphs) CheckFunction(view, graph, meaning, sink);
}

}  // namespace culprit::inventory
