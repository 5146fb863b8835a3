// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/paths.h"

namespace culprit::inventory {

PathPlan::PathPlan(const FlowGraph& graph, const std::vector<std::string>& true_on_success)
    : graph_(graph), true_on_success_(true_on_success) {
  std::vector<std::string> tested;
  for (const Block& block : graph.blocks) {
    if (block.conditional && block.condition.subject == Condition::Subject::kPath)
      tested.push_back(block.condition.path);
    if (block.conditional && block.condition.subject == Condition::Subject::kCall)
      tested_roots_.insert(RootOf(block.condition.call));
    if (block.exit == ExitKind::kReturn && block.returned == Value::kPath)
      tested.push_back(block.returned_path);
  }
  // What is copied into a tested variable matters too: `ret = err` before `if (ret)`.
  for (size_t i = 0; i < tested.size() && tested.size() < 4 * kMostVariables; ++i) {
    for (const Event& event : graph.events) {
      const bool is_copy = event.kind == EventKind::kAssign && event.value == Value::kPath &&
                           event.path == tested[i];
      if (is_copy && std::find(tested.begin(), tested.end(), event.source) == tested.end())
        tested.push_back(event.source);
    }
  }
  for (std::string& path : tested) {
    const bool known = std::find(variables_.begin(), variables_.end(), path) != variables_.end();
    if (!known && variables_.size() < kMostVariables) variables_.push_back(std::move(path));
  }
}

int PathPlan::VariableOf(std::string_view path) const {
  for (size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i] == path) return static_cast<int>(i);
  }
  return -1;
}

int PathPlan::RootOf(int call) const {
  while (call >= 0 && graph_.events[call].parent >= 0) call = graph_.events[call].parent;
  return call;
}

Known PathPlan::SeenThrough(int root, Known outcome) const {
  const std::string& name = graph_.events[root].path;
  const bool inverse =
      std::find(true_on_success_.begin(), true_on_success_.end(), name) != true_on_success_.end();
  return inverse ? Inverse(outcome) : outcome;
}

bool PathPlan::Observed(int call) const {
  const int root = RootOf(call);
  const Event& event = graph_.events[root];
  if (event.use == Use::kReturned || event.use == Use::kCondition) return true;
  if (event.use == Use::kAssigned && VariableOf(event.target) >= 0) return true;
  return tested_roots_.contains(root);
}

}  // namespace culprit::inventory
