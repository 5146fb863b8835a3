// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "inventory/rules/call_meaning.h"
#include "inventory/rules/owners.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {
namespace {

using FieldsByFunction = std::map<std::string, std::set<std::string>, std::less<>>;

// For each function of the file, the fields that it releases itself or through functions of the
// file that it calls.
FieldsByFunction ReleasedFields(const FileView& view, const CallMeaning& meaning) {
  FieldsByFunction released;
  for (bool changed = true; changed;) {
    changed = false;
    for (const FlowGraph& graph : view.graphs) {
      std::set<std::string>& fields = released[std::string(LastComponent(graph.function))];
      const size_t before = fields.size();
      for (const Event& event : graph.events) {
        if (event.kind != EventKind::kCall) continue;
        if (meaning.Releases(event)) {
          for (const std::string& argument : event.arguments)
            fields.insert(std::string(LastComponent(argument)));
        } else if (const auto called = released.find(event.path); called != released.end()) {
          const std::set<std::string> inner = called->second;
          fields.insert(inner.begin(), inner.end());
        }
      }
      changed |= fields.size() != before;
    }
  }
  return released;
}

// The state of a path is the load whose handle is alive, plus one; 0 when it is not.
class UnwindRule {
 public:
  UnwindRule(const FlowGraph& graph, const CallMeaning& meaning, const FieldsByFunction& released,
             const std::string& path, std::string_view object)
      : graph_(graph),
        meaning_(meaning),
        released_(released),
        path_(path),
        field_(LastComponent(path)),
        object_(object) {}

  bool HasOutcome(const Event& event) const { return Loads(event); }

  uint32_t OnEvent(int index, Known outcome, uint32_t state, const PathValues&) const {
    const Event& event = graph_.events[index];
    if (event.kind != EventKind::kCall) return state;
    if (Loads(event)) return outcome == Known::kNonZero ? state : static_cast<uint32_t>(index) + 1;
    if (state != 0 && ReleasesField(event)) return 0;
    return state;
  }

  void OnExit(const Block& block, Known returned, uint32_t state) {
    const bool leaves = block.exit == ExitKind::kReturn || block.exit == ExitKind::kMacroReturn;
    if (state != 0 && leaves && returned == Known::kNonZero)
      left_behind_.try_emplace(&block, static_cast<int>(state) - 1);
  }

  // Exits, each with a load that is left behind there.
  const std::map<const Block*, int>& left_behind() const { return left_behind_; }

 private:
  bool Loads(const Event& event) const {
    if (event.kind != EventKind::kCall || !event.entry || event.entry->role != Role::kCreates ||
        event.entry->object != object_)
      return false;
    const int parameter = event.entry->object_parameter;
    return parameter >= 0 && parameter < static_cast<int>(event.arguments.size()) &&
           event.arguments[parameter] == path_;
  }

  bool ReleasesField(const Event& event) const {
    if (meaning_.Releases(event)) {
      return std::any_of(
          event.arguments.begin(), event.arguments.end(),
          [&](const std::string& argument) { return LastComponent(argument) == field_; });
    }
    const auto called = released_.find(event.path);
    return called != released_.end() && called->second.contains(std::string(field_));
  }

  const FlowGraph& graph_;
  const CallMeaning& meaning_;
  const FieldsByFunction& released_;
  const std::string& path_;
  std::string_view field_, object_;
  std::map<const Block*, int> left_behind_;
};

std::set<std::string> LoadedPaths(const FlowGraph& graph, std::string_view object) {
  std::set<std::string> paths;
  for (const Event& event : graph.events) {
    if (event.kind != EventKind::kCall || !event.entry || event.entry->role != Role::kCreates ||
        event.entry->object != object)
      continue;
    const int parameter = event.entry->object_parameter;
    if (parameter < 0 || parameter >= static_cast<int>(event.arguments.size())) continue;
    const std::string& path = event.arguments[parameter];
    if (std::find(graph.locals.begin(), graph.locals.end(), path) == graph.locals.end())
      paths.insert(path);
  }
  return paths;
}

}  // namespace

void CheckInitUnwind(const FileView& view, FindingSink* sink) {
  if (view.contract.failed_init == FailedInit::kClosedByCaller || !view.contract.owners_declared)
    return;
  const CallMeaning meaning(view);
  const FieldsByFunction released = ReleasedFields(view, meaning);
  for (const FlowGraph& graph : view.graphs) {
    const std::set<std::string> paths = LoadedPaths(graph, view.contract.owner_object);
    if (paths.empty()) continue;
    const PathPlan& plan = view.PlanOf(graph);
    for (const std::string& path : paths) {
      UnwindRule rule(graph, meaning, released, path, view.contract.owner_object);
      if (!PathWalker(plan, &rule).Walk(0)) continue;
      for (const auto& [exit, load] : rule.left_behind()) {
        Finding* finding = sink->Add(
            RuleId::kOwnerNotUnwound, exit->exit_begin, exit->exit_end, graph.function,
            fmt::format("this failing path leaves '{}' loaded; give it to its helper first", path));
        const Event& call = graph.events[load];
        if (finding)
          finding->notes.push_back({LocationOf(view.file, call.begin, call.end), "loaded here"});
      }
    }
  }
}

}  // namespace culprit::inventory
