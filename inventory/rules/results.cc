// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "inventory/rules/call_meaning.h"

namespace culprit::inventory {
namespace {

// cuGetErrorName and its like answer about a result; losing theirs loses nothing.
bool ResultMatters(const Event& call) {
  return !call.entry || !call.entry->lookup.starts_with("cuGetError");
}

// A cast to void says that the loss is meant. For what ends an object's life, or waits for work, it
// is a loss all the same. A method without arguments may be that of another class than the
// helper's, and gets the benefit of the doubt.
bool MattersEvenIfMeant(const Event& call, const CallMeaning& meaning) {
  if (meaning.IsPop(call)) return true;
  if (!call.entry) return meaning.IsHelper(call) && !call.arguments.empty();
  return call.entry->role == Role::kDestroys || call.entry->role == Role::kPops ||
         call.entry->role == Role::kWaits;
}

// Reads by name, and as part of a longer path: result.code().
bool IsRead(const FlowGraph& graph, const std::string& variable) {
  return std::any_of(graph.events.begin(), graph.events.end(), [&](const Event& event) {
    if (event.kind == EventKind::kCall && event.receiver == variable) return true;
    if (event.kind != EventKind::kRead || !event.path.starts_with(variable)) return false;
    return event.path.size() == variable.size() || event.path[variable.size()] == '.' ||
           event.path[variable.size()] == '-';
  });
}

bool IsLocal(const FlowGraph& graph, const std::string& path) {
  return std::find(graph.locals.begin(), graph.locals.end(), path) != graph.locals.end();
}

bool IsChecked(const FileView& view, const Event& call) {
  const auto& checked = view.contract.checked_results;
  return std::find(checked.begin(), checked.end(), call.path) != checked.end();
}

// A local of a result's type that holds the result of a function which reaches the driver. Guards
// and handles are of other types: those are there to be held.
bool HoldsResultType(const FlowGraph& graph, const Event& call) {
  for (const Event& event : graph.events) {
    if (event.kind != EventKind::kAssign || !event.declares || event.call < 0 ||
        &graph.events[event.call] != &call)
      continue;
    const std::string& type = event.declared_type;
    return type == "int" || type == "CUresult" || type.ends_with("Status") ||
           type.find("Result") != std::string::npos;
  }
  return false;
}

void CheckCall(const FileView& view, const FlowGraph& graph, const Event& call,
               const CallMeaning& meaning, FindingSink* sink) {
  const bool checked = IsChecked(view, call);
  const bool known =
      call.entry ? ResultMatters(call)
                 : checked || (meaning.IsHelper(call) &&
                               !view.vocabulary.calls.ReturnsVoid(view.file.path(), call.path));
  const bool unread =
      call.use == Use::kAssigned && IsLocal(graph, call.target) && !IsRead(graph, call.target);
  std::string how;
  if (known && call.use == Use::kIgnored) {
    how = "is dropped";
  } else if (known && call.use == Use::kCastToVoid &&
             (checked || MattersEvenIfMeant(call, meaning))) {
    how = "is cast away, although it says whether the release or the wait happened";
  } else if (unread && (known || (meaning.CarriesResult(call) && HoldsResultType(graph, call)))) {
    how = fmt::format("is stored in '{}', which nothing reads", call.target);
  } else {
    return;
  }
  sink->Add(RuleId::kResultIgnored, call.begin, call.end, graph.function,
            fmt::format("the result of {} {}", call.path, how));
}

bool Combines(const std::string& operation) {
  for (const char* combining : {"|=", "+=", "&=", "^=", "|"}) {
    if (operation == combining) return true;
  }
  return false;
}

bool HoldsResult(const FlowGraph& graph, const std::string& path, const CallMeaning& meaning) {
  return std::any_of(graph.events.begin(), graph.events.end(), [&](const Event& event) {
    return event.kind == EventKind::kCall && event.use == Use::kAssigned && event.target == path &&
           meaning.CarriesResult(event);
  });
}

// `err |= f(x);` keeps the first error instead.
std::optional<Fix> KeepFirst(const FileView& view, const Event& assignment, const Event& call) {
  const std::string_view text = view.file.text();
  const size_t end = text.find_first_not_of(" \t\r\n", assignment.statement_end);
  if (assignment.operation != "|=" || end == std::string_view::npos || text[end] != ';')
    return std::nullopt;
  const std::string_view value = text.substr(call.begin, call.end - call.begin);
  return Fix{assignment.begin, static_cast<uint32_t>(end + 1),
             fmt::format("{{ const int next_result = {}; if (!{}) {} = next_result; }}", value,
                         assignment.path, assignment.path),
             "keep the first error"};
}

}  // namespace

void CheckIgnoredResults(const FileView& view, FindingSink* sink) {
  const CallMeaning meaning(view);
  for (const FlowGraph& graph : view.graphs) {
    for (const Event& event : graph.events) {
      if (event.kind == EventKind::kCall) CheckCall(view, graph, event, meaning, sink);
    }
  }
}

void CheckCombinedResults(const FileView& view, FindingSink* sink) {
  const CallMeaning meaning(view);
  for (const FlowGraph& graph : view.graphs) {
    for (const Event& event : graph.events) {
      if (event.kind != EventKind::kAssign || !Combines(event.operation)) continue;
      const bool by_call = event.call >= 0 && meaning.CarriesResult(graph.events[event.call]);
      const bool by_copy = event.value == Value::kPath && HoldsResult(graph, event.source, meaning);
      if (!by_call && !by_copy) continue;
      Finding* finding = sink->Add(
          RuleId::kResultsCombined, event.begin, event.statement_end, graph.function,
          fmt::format(
              "'{}' is merged with another result: the sum of two error codes is no error code",
              event.path));
      if (finding && by_call) finding->fix = KeepFirst(view, event, graph.events[event.call]);
    }
  }
}

}  // namespace culprit::inventory
