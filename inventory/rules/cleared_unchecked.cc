// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/cleared_unchecked.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "inventory/rules/call_meaning.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {
namespace {

// The state of a path is the release call that may have left the handle alive, plus one; 0 when
// there is none.
class ClearingRule {
 public:
  ClearingRule(const FlowGraph& graph, const CallMeaning& meaning, const std::string& handle)
      : graph_(graph), meaning_(meaning), handle_(handle) {}

  bool HasOutcome(const Event& event) const { return meaning_.Releases(event, handle_); }

  uint32_t OnEvent(int index, Known outcome, uint32_t state, const PathValues&) {
    const Event& event = graph_.events[index];
    if (HasOutcome(event)) return outcome == Known::kZero ? 0 : static_cast<uint32_t>(index) + 1;
    if (state != 0 && Clears(event)) findings_.insert({index, static_cast<int>(state) - 1});
    const bool overwritten = event.kind == EventKind::kAssign && event.path == handle_;
    return overwritten ? 0 : state;
  }

  void OnExit(const Block&, Known, uint32_t) {}

  // Pairs of clearing event and release call.
  const std::set<std::pair<int, int>>& findings() const { return findings_; }

 private:
  // The handle itself is set to null, or memset wipes what holds it.
  bool Clears(const Event& event) const {
    if (event.kind == EventKind::kAssign)
      return event.path == handle_ && event.value == Value::kZero && !event.declares;
    if (event.kind != EventKind::kCall || event.path != "memset" || event.arguments.empty())
      return false;
    const std::string& wiped = event.arguments[0];
    return handle_.starts_with(wiped + "->") || handle_.starts_with(wiped + ".") ||
           handle_ == wiped;
  }

  const FlowGraph& graph_;
  const CallMeaning& meaning_;
  const std::string& handle_;
  std::set<std::pair<int, int>> findings_;
};

std::set<std::string> ReleasedHandles(const FlowGraph& graph, const CallMeaning& meaning) {
  std::set<std::string> handles;
  for (const Event& event : graph.events) {
    if (!meaning.Releases(event)) continue;
    for (const std::string& argument : event.arguments) {
      if (!LastComponent(argument).empty()) handles.insert(argument);
    }
  }
  return handles;
}

void CheckHandle(const FileView& view, const FlowGraph& graph, const PathPlan& plan,
                 const CallMeaning& meaning, const std::string& handle, std::set<int>* reported,
                 FindingSink* sink) {
  ClearingRule rule(graph, meaning, handle);
  if (!PathWalker(plan, &rule).Walk(0)) return;
  for (const auto& [clearing, release] : rule.findings()) {
    if (!reported->insert(clearing).second) continue;  // one memset may wipe several handles
    const Event& event = graph.events[clearing];
    const Event& call = graph.events[release];
    Finding* finding = sink->Add(
        RuleId::kClearedUnchecked, event.begin, event.end, graph.function,
        fmt::format("'{}' is cleared although {} may have failed; the object would be lost", handle,
                    call.path));
    if (finding)
      finding->notes.push_back({LocationOf(view.file, call.begin, call.end), "released here"});
  }
}

}  // namespace

void CheckClearedHandles(const FileView& view, FindingSink* sink) {
  const CallMeaning meaning(view);
  for (const FlowGraph& graph : view.graphs) {
    const std::set<std::string> handles = ReleasedHandles(graph, meaning);
    if (handles.empty()) continue;
    const PathPlan& plan = view.PlanOf(graph);
    std::set<int> reported;
    for (const std::string& handle : handles)
      CheckHandle(view, graph, plan, meaning, handle, &reported, sink);
  }
}

}  // namespace culprit::inventory
