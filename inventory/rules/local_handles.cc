// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/local_handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "inventory/rules/call_meaning.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {
namespace {

bool IsLocal(const FlowGraph& graph, const std::string& path) {
  return std::find(graph.locals.begin(), graph.locals.end(), path) != graph.locals.end();
}

// The variable that a creating call writes its handle to; empty when it creates nothing that needs
// destroying.
std::string CreatedInto(const Event& event) {
  if (event.kind != EventKind::kCall || !event.entry || event.entry->role != Role::kCreates)
    return {};
  const int parameter = event.entry->object_parameter;
  if (parameter < 0 || parameter >= static_cast<int>(event.arguments.size())) return {};
  return event.arguments[parameter];
}

// The state of a path is the creating call whose handle the variable holds alone, plus one; 0 when
// none.
class LocalHandleRule {
 public:
  LocalHandleRule(const FlowGraph& graph, const CallMeaning& meaning, const std::string& variable)
      : graph_(graph), meaning_(meaning), variable_(variable) {}

  bool HasOutcome(const Event& event) const { return CreatedInto(event) == variable_; }

  uint32_t OnEvent(int index, Known outcome, uint32_t state, const PathValues&) const {
    const Event& event = graph_.events[index];
    if (HasOutcome(event))
      return outcome == Known::kNonZero ? state : static_cast<uint32_t>(index) + 1;
    if (state == 0) return 0;
    const Event& creation = graph_.events[state - 1];
    if (event.kind == EventKind::kCall && meaning_.Releases(event)) {
      // A primary context is given back by its device.
      const bool same_kind = event.entry && event.entry->object == creation.entry->object &&
                             event.entry->object == "primary context";
      if (same_kind || meaning_.Releases(event, variable_)) return 0;
    }
    if (event.kind == EventKind::kRead && event.path == variable_ && HandsOn(event)) return 0;
    return state;
  }

  void OnExit(const Block& block, Known, uint32_t state) {
    if (state != 0 && block.exit != ExitKind::kProcessEnds)
      lost_.try_emplace(static_cast<int>(state) - 1, &block);
  }

  // Creating calls whose handle is lost, each with an exit where it is.
  const std::map<int, const Block*>& lost() const { return lost_; }

 private:
  // The driver uses a handle and keeps nothing, but for a user object whose reference is moved into
  // a graph; anybody else may.
  bool HandsOn(const Event& read) const {
    if (read.parent < 0) return !IsTested(read);
    const Event& call = graph_.events[read.parent];
    return !call.entry || call.entry->lookup == "cuGraphRetainUserObject";
  }

  bool IsTested(const Event& read) const {
    return std::any_of(graph_.blocks.begin(), graph_.blocks.end(), [&](const Block& block) {
      return block.conditional && block.condition.path == variable_ && !block.events.empty() &&
             &graph_.events[block.events.back()] == &read;
    });
  }

  const FlowGraph& graph_;
  const CallMeaning& meaning_;
  const std::string& variable_;
  std::map<int, const Block*> lost_;
};

void CheckVariable(const FileView& view, const PathPlan& plan, const CallMeaning& meaning,
                   const std::string& variable, FindingSink* sink) {
  const FlowGraph& graph = plan.graph();
  LocalHandleRule rule(graph, meaning, variable);
  if (!PathWalker(plan, &rule).Walk(0)) return;
  for (const auto& [creation, exit] : rule.lost()) {
    const Event& call = graph.events[creation];
    Finding* finding = sink->Add(
        RuleId::kLocalHandle, call.begin, call.end, graph.function,
        fmt::format("the {} that {} creates is kept in the local '{}' only and lost on some path",
                    call.entry->object, call.path, variable));
    if (finding)
      finding->notes.push_back(
          {LocationOf(view.file, exit->exit_begin, exit->exit_end), "lost here"});
  }
}

}  // namespace

void CheckLocalHandles(const FileView& view, FindingSink* sink) {
  const CallMeaning meaning(view);
  for (const FlowGraph& graph : view.graphs) {
    std::set<std::string> variables;
    for (const Event& event : graph.events) {
      const std::string variable = CreatedInto(event);
      if (!variable.empty() && IsLocal(graph, variable)) variables.insert(variable);
    }
    if (variables.empty()) continue;
    const PathPlan& plan = view.PlanOf(graph);
    for (const std::string& variable : variables)
      CheckVariable(view, plan, meaning, variable, sink);
  }
}

}  // namespace culprit::inventory
