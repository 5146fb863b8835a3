// SPDX-License-Identifier: Apache-2.0
// The control flow of one function: blocks of events in the order of evaluation, joined by branches
// whose conditions are kept in a form that rules can reason with ("r is zero", "that call failed").
//
// Short-circuit operators are branches. A macro that may return or jump (the macro table says so)
// is a branch on the call in its arguments. Both sides of an #if whose condition is unknown are
// paths.
#ifndef CULPRIT_INVENTORY_SYNTAX_FLOW_GRAPH_H_
#define CULPRIT_INVENTORY_SYNTAX_FLOW_GRAPH_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/driver/entries.h"
#include "inventory/scan/macros.h"
#include "inventory/scan/outline.h"
#include "inventory/syntax/tree.h"

namespace culprit::inventory {

enum class EventKind : uint8_t { kCall, kAssign, kRead };

// What becomes of a call's result.
enum class Use : uint8_t {
  kIgnored,
  kCastToVoid,
  kAssigned,
  kCombined,
  kCondition,
  kArgument,
  kReturned,
  kOther
};

// What an assignment stores.
enum class Value : uint8_t { kZero, kNonZero, kCall, kPath, kOther };

struct Event {
  EventKind kind;
  uint32_t begin, end;  // what a caret should underline

  // kCall: the called name, without its table; kAssign: the target; kRead: the path read. Paths are
  // written without blanks, casts, outer parentheses, & and *: "s->module".
  std::string path;

  // kCall, kRead: the call whose argument it is, as an index in FlowGraph::events; -1 when none.
  int parent = -1;

  // kCall. Arguments are paths where they are paths, else text without blanks.
  std::string receiver = {};  // the path before the called member: "s->driver"
  const DriverEntry* entry = nullptr;
  std::vector<std::string> arguments = {};
  std::vector<std::string> addresses = {};  // the arguments passed by address: out-parameters
  Use use = Use::kOther;
  std::string target = {};  // kAssigned, kCombined: the path that receives the result

  // The whole expression statement when a call is one; the whole assignment.
  uint32_t statement_begin = 0;
  uint32_t statement_end = 0;

  // kAssign
  Value value = Value::kOther;
  std::string source = {};     // kPath: the path copied
  int call = -1;               // kCall: index of the call event
  std::string operation = {};  // "=", "|=", ...
  bool declares = false;
  std::string declared_type = {};  // as written, when it declares
  bool inverted = false;           // of a call: the target is true when the call succeeded
  bool mentions_target = false;    // the right side reads the target: ret = ret ? ret : err
};

// What is known of a value. Zero means success where the value is a result.
enum class Known : uint8_t { kUnknown, kZero, kNonZero };

// What a branch tests, and what each edge then knows of it.
struct Condition {
  enum class Subject : uint8_t { kNone, kPath, kCall };
  Subject subject = Subject::kNone;
  std::string path;
  int call = -1;
  Known when_true = Known::kUnknown;
  Known when_false = Known::kUnknown;
  bool by_truth = false;  // the path itself was tested: `if (r)`, `if (!r)`
};

enum class ExitKind : uint8_t { kNone, kReturn, kMacroReturn, kThrow, kEnds, kProcessEnds };

struct Block {
  std::vector<int> events;  // indices into FlowGraph::events
  std::vector<int> next;    // with a condition: {true, false}; otherwise any number of successors
  bool conditional = false;
  Condition condition;
  ExitKind exit = ExitKind::kNone;
  Value returned = Value::kOther;  // kReturn
  std::string returned_path;       // kReturn of a path, or of a call's result: empty
  int returned_call = -1;
  uint32_t exit_begin = 0, exit_end = 0;
};

struct FlowGraph {
  std::string function;  // as the outline names it; a lambda is "outer::(lambda)"
  uint32_t begin = 0, end = 0;
  std::vector<std::string> parameters;
  std::vector<std::string> locals;
  std::vector<Event> events;
  std::vector<Block> blocks;  // the first is the entry
  bool holds_errors = false;  // part of the function did not parse
};

struct FlowContext {
  const SyntaxTree& tree;
  const Outline& outline;
  const MacroScope macros;
};

// The graphs of the functions (and lambdas) whose bodies overlap one of `wanted`, in file order.
std::vector<FlowGraph> BuildFlowGraphs(const FlowContext& context,
                                       const std::vector<const FunctionSpan*>& wanted);

// The part after the last -> . or ::, without subscripts: the handle field of "s->modules[i]" is
// "modules".
std::string_view LastComponent(std::string_view path);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SYNTAX_FLOW_GRAPH_H_
