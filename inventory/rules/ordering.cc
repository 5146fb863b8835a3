// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/ordering.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "inventory/scan/glob.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {
namespace {

// "device_->Close" is that method called on that object.
bool IsMethodCall(std::string_view name, const Event& event) {
  if (event.kind != EventKind::kCall || event.receiver.empty() || !name.ends_with(event.path))
    return false;
  name.remove_suffix(event.path.size());
  for (const std::string_view arrow : {"->", "."}) {
    if (!name.ends_with(arrow)) continue;
    name.remove_suffix(arrow.size());
    return name == event.receiver || name == LastComponent(event.receiver);
  }
  return false;
}

// What [[order]] writes as a name: a called function or method, a field or variable that is read or
// set, or "@driver" and "@create" for any driver call and any creating one.
bool IsMeant(const std::string& name, const Event& event) {
  if (name == "@driver") return event.kind == EventKind::kCall && event.entry;
  if (name == "@create")
    return event.kind == EventKind::kCall && event.entry && event.entry->role == Role::kCreates;
  if (event.path == name || LastComponent(event.path) == name || IsMethodCall(name, event))
    return true;
  return event.kind == EventKind::kCall && event.entry && event.entry->lookup == name;
}

// The state of a path: whether `before` has happened.
class OrderRule {
 public:
  OrderRule(const FlowGraph& graph, const Order& order) : graph_(graph), order_(order) {}

  bool HasOutcome(const Event&) const { return false; }

  uint32_t OnEvent(int index, Known, uint32_t state, const PathValues&) {
    const Event& event = graph_.events[index];
    if (IsMeant(order_.before, event)) return 1;
    if (state == 0 && IsMeant(order_.after, event)) too_early_.insert(index);
    return state;
  }

  void OnExit(const Block&, Known, uint32_t) {}

  const std::set<int>& too_early() const { return too_early_; }

 private:
  const FlowGraph& graph_;
  const Order& order_;
  std::set<int> too_early_;
};

// Events that some path reaches: what stands below `if (false)` is not there.
std::vector<int> ReachableEvents(const FlowGraph& graph) {
  std::vector<bool> reached(graph.blocks.size());
  std::vector<int> open = {0}, events;
  reached[0] = true;
  while (!open.empty()) {
    const Block& block = graph.blocks[open.back()];
    open.pop_back();
    events.insert(events.end(), block.events.begin(), block.events.end());
    for (const int next : block.next) {
      if (!reached[next]) open.push_back(next);
      reached[next] = true;
    }
  }
  return events;
}

std::string Because(const Order& order) {
  return order.reason.empty() ? "" : fmt::format(" ({})", order.reason);
}

void CheckFunction(const FileView& view, const FlowGraph& graph, const Order& order,
                   FindingSink* sink) {
  const std::vector<int> events = ReachableEvents(graph);
  const bool has_before = std::any_of(events.begin(), events.end(), [&](int event) {
    return IsMeant(order.before, graph.events[event]);
  });
  if (!has_before) {
    if (!order.required) return;
    if (order.after.empty()) {
      sink->Add(RuleId::kOrderBroken, graph.begin, graph.begin + 1, graph.function,
                fmt::format("the contract wants {} in this function, which has none{}",
                            order.before, Because(order)));
      return;
    }
    sink->Add(RuleId::kOrderBroken, graph.begin, graph.begin + 1, graph.function,
              fmt::format("the contract puts {} before {} in this function, which has no {}{}",
                          order.before, order.after, order.before, Because(order)));
    return;
  }
  if (order.after.empty()) return;
  const PathPlan& plan = view.PlanOf(graph);
  OrderRule rule(graph, order);
  PathWalker(plan, &rule).Walk(0);
  if (rule.too_early().empty()) return;
  const Event& event = graph.events[*rule.too_early().begin()];
  sink->Add(RuleId::kOrderBroken, event.begin, event.end, graph.function,
            fmt::format("{} may come before {} on this path{}", order.after, order.before,
                        Because(order)));
}

}  // namespace

void CheckOrder(const FileView& view, FindingSink* sink, FileFacts* facts) {
  for (size_t i = 0; i < view.contract.orders.size(); ++i) {
    const Order& order = view.contract.orders[i];
    if (!order.file.empty() && !GlobMatches(order.file, view.file.path())) continue;
    for (const FlowGraph& graph : view.graphs) {
      const bool meant = NamesFunction(order.function, graph.function) ||
                         GlobMatches(order.function, LastComponent(graph.function));
      if (!meant) continue;
      facts->orders_matched.insert(static_cast<int>(i));
      CheckFunction(view, graph, order, sink);
    }
  }
}

void CheckOrdersMatched(const Contract& contract, const std::vector<FileFacts>& files,
                        std::vector<Finding>* findings) {
  for (size_t i = 0; i < contract.orders.size(); ++i) {
    const bool matched = std::any_of(files.begin(), files.end(), [&](const FileFacts& file) {
      return file.orders_matched.contains(static_cast<int>(i));
    });
    if (matched || SeverityOf(contract, RuleId::kOrderBroken) == Severity::kOff) continue;
    Finding& finding = findings->emplace_back();
    finding.rule = RuleId::kOrderBroken;
    finding.severity = SeverityOf(contract, RuleId::kOrderBroken);
    finding.where = {contract.path, {contract.orders[i].line, 1}, 2, ""};
    finding.message =
        fmt::format("no checked file has the function {} whose order is declared here",
                    contract.orders[i].function);
  }
}

}  // namespace culprit::inventory
