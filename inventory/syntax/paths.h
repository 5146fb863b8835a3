// SPDX-License-Identifier: Apache-2.0
// Walks the paths of a function with what each path knows: which results and flags are zero, and a
// rule's own state.
//
// A call whose outcome a rule cares about splits a path in two, success and failure, when the code
// looks at the result; the branch that tests it later keeps the right half. So `if (push() !=
// CUDA_SUCCESS) return;` is no unbalanced push. Paths that meet with the same knowledge are one
// path, and a function with too many of them is given up rather than guessed at.
#ifndef CULPRIT_INVENTORY_SYNTAX_PATHS_H_
#define CULPRIT_INVENTORY_SYNTAX_PATHS_H_

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "inventory/syntax/flow_graph.h"

namespace culprit::inventory {

// The variables whose values decide branches, and the calls whose results reach them.
class PathPlan {
 public:
  // `true_on_success` names functions that answer true for a result of success:
  // first.Note(cuInit(0)).
  PathPlan(const FlowGraph& graph, const std::vector<std::string>& true_on_success);

  const FlowGraph& graph() const { return graph_; }
  // Index of a tracked variable, -1 when `path` is not tracked.
  int VariableOf(std::string_view path) const;
  // The outermost call that `call` is an argument of, itself if none: CHECK in CHECK(cuInit(0)).
  int RootOf(int call) const;
  // What the root shows of a call's outcome: the same, or the opposite where the root is true on
  // success.
  Known SeenThrough(int root, Known outcome) const;
  // Whether the code looks at the result of `call`.
  bool Observed(int call) const;

 private:
  static constexpr size_t kMostVariables = 28;

  const FlowGraph& graph_;
  const std::vector<std::string>& true_on_success_;
  std::vector<std::string> variables_;
  std::set<int> tested_roots_;
};

constexpr Known Inverse(Known value) {
  if (value == Known::kUnknown) return value;
  return value == Known::kZero ? Known::kNonZero : Known::kZero;
}

// What one path knows. Two bits a variable.
class PathValues {
 public:
  Known Get(int variable) const {
    return variable < 0 ? Known::kUnknown : static_cast<Known>(bits_ >> (2 * variable) & 3);
  }
  void Set(int variable, Known value) {
    if (variable < 0) return;
    bits_ = (bits_ & ~(uint64_t{3} << (2 * variable))) | static_cast<uint64_t>(value)
                                                             << (2 * variable);
  }
  bool operator==(const PathValues&) const = default;
  uint64_t bits() const { return bits_; }

 private:
  uint64_t bits_ = 0;
};

// Rule offers:
//   bool HasOutcome(const Event&)                                  whether success and failure of
//   this call differ for it uint32_t OnEvent(int event, Known outcome, uint32_t state, const
//   PathValues&) void OnExit(const Block&, Known returned, uint32_t state)      kZero: the path
//   reports success
template <typename Rule>
class PathWalker {
 public:
  PathWalker(const PathPlan& plan, Rule* rule) : plan_(plan), graph_(plan.graph()), rule_(rule) {}

  // False when the function has too many paths; what the rule saw then is incomplete.
  bool Walk(uint32_t start_state) {
    Enter({0, {}, start_state, -1, Known::kUnknown});
    while (!pending_.empty() && steps_ < kMostSteps) {
      const Path path = pending_.back();
      pending_.pop_back();
      RunBlock(path, 0);
    }
    return steps_ < kMostSteps;
  }

 private:
  static constexpr size_t kMostSteps = 40000;

  struct Path {
    int block;
    PathValues values;
    uint32_t state;
    int outcome_root;  // the call whose outcome was decided last, for the branch that follows
    Known outcome;
    bool operator==(const Path&) const = default;
  };

  struct PathHash {
    size_t operator()(const Path& path) const {
      uint64_t hash = path.values.bits() * 0x9E3779B97F4A7C15ull;
      hash ^= (static_cast<uint64_t>(path.block) << 32 | path.state) * 0xC2B2AE3D27D4EB4Full;
      hash ^= static_cast<uint64_t>(path.outcome_root + 1) * 0x165667B19E3779F9ull +
              static_cast<uint64_t>(path.outcome);
      return hash ^ hash >> 29;
    }
  };

  void Enter(const Path& path) {
    if (seen_.insert(path).second) pending_.push_back(path);
  }

  void RunBlock(Path path, size_t first_event) {
    if (++steps_ >= kMostSteps) return;
    const Block& block = graph_.blocks[path.block];
    for (size_t i = first_event; i < block.events.size(); ++i) {
      const int index = block.events[i];
      const Event& event = graph_.events[index];
      if (event.kind == EventKind::kCall && rule_->HasOutcome(event) && plan_.Observed(index)) {
        Path failing = path;
        Decide(index, Known::kNonZero, &failing);
        RunBlock(failing, i + 1);
        Decide(index, Known::kZero, &path);
        continue;
      }
      if (event.kind == EventKind::kCall && plan_.RootOf(index) != path.outcome_root)
        path.outcome_root = -1;
      path.state = rule_->OnEvent(index, Known::kUnknown, path.state, path.values);
      if (event.kind == EventKind::kCall)
        WriteAddresses(event, rule_->HasOutcome(event) ? Known::kZero : Known::kUnknown, &path);
      if (event.kind == EventKind::kAssign) Store(event, &path);
    }
    Leave(block, path);
  }

  void Decide(int call, Known outcome, Path* path) {
    path->outcome_root = plan_.RootOf(call);
    path->outcome = plan_.SeenThrough(path->outcome_root, outcome);
    path->state = rule_->OnEvent(call, outcome, path->state, path->values);
    WriteAddresses(graph_.events[call], outcome, path);
  }

  // What is passed by address may be anything afterwards, but a handle that was created is not
  // null, and one whose creation failed is as it was.
  void WriteAddresses(const Event& call, Known outcome, Path* path) const {
    const bool creates = call.entry && call.entry->role == Role::kCreates;
    if (creates && outcome == Known::kNonZero) return;
    for (const std::string& address : call.addresses) {
      path->values.Set(plan_.VariableOf(address),
                       creates && outcome == Known::kZero ? Known::kNonZero : Known::kUnknown);
    }
  }

  void Store(const Event& event, Path* path) const {
    const int target = plan_.VariableOf(event.path);
    if (target < 0) return;
    Known value = Known::kUnknown;
    if (event.operation == "=") {
      if (event.value == Value::kZero) value = Known::kZero;
      if (event.value == Value::kNonZero) value = Known::kNonZero;
      if (event.value == Value::kPath) value = path->values.Get(plan_.VariableOf(event.source));
      if (event.value == Value::kCall && plan_.RootOf(event.call) == path->outcome_root) {
        value = event.inverted ? Inverse(path->outcome) : path->outcome;
      }
    }
    path->values.Set(target, value);
  }

  Known SubjectOf(const Condition& condition, const Path& path) const {
    if (condition.subject == Condition::Subject::kPath)
      return path.values.Get(plan_.VariableOf(condition.path));
    if (condition.subject == Condition::Subject::kCall &&
        plan_.RootOf(condition.call) == path.outcome_root)
      return path.outcome;
    return Known::kUnknown;
  }

  void Leave(const Block& block, const Path& path) {
    if (block.exit != ExitKind::kNone) {
      rule_->OnExit(block, Returned(block, path), path.state);
      return;
    }
    if (!block.conditional) {
      for (const int next : block.next)
        Enter({next, path.values, path.state, path.outcome_root, path.outcome});
      return;
    }
    const Known subject = SubjectOf(block.condition, path);
    for (const bool taken : {true, false}) {
      const Known edge = taken ? block.condition.when_true : block.condition.when_false;
      if (subject != Known::kUnknown && edge != Known::kUnknown && subject != edge) continue;
      Path next = path;
      next.block = block.next[taken ? 0 : 1];
      if (edge != Known::kUnknown && block.condition.subject == Condition::Subject::kPath) {
        next.values.Set(plan_.VariableOf(block.condition.path), edge);
      }
      Enter(next);
    }
  }

  Known Returned(const Block& block, const Path& path) const {
    if (block.exit == ExitKind::kMacroReturn || block.exit == ExitKind::kThrow)
      return Known::kNonZero;
    if (block.exit != ExitKind::kReturn) return Known::kUnknown;
    if (block.returned == Value::kZero) return Known::kZero;
    if (block.returned == Value::kNonZero) return Known::kNonZero;
    if (block.returned == Value::kPath)
      return path.values.Get(plan_.VariableOf(block.returned_path));
    if (block.returned == Value::kCall && plan_.RootOf(block.returned_call) == path.outcome_root)
      return path.outcome;
    return Known::kUnknown;
  }

  const PathPlan& plan_;
  const FlowGraph& graph_;
  Rule* rule_;
  std::vector<Path> pending_;
  std::unordered_set<Path, PathHash> seen_;
  size_t steps_ = 0;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SYNTAX_PATHS_H_
