// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "inventory/syntax/flow_builder.h"
#include "inventory/syntax/paths.h"

namespace culprit::inventory {

void FlowBuilder::Decide(Node node, int when_true, int when_false) {
  if (depth_ >= kDeepestStatement) return;
  ++depth_;
  DecideOfKind(node, when_true, when_false);
  --depth_;
}

void FlowBuilder::DecideOfKind(Node node, int when_true, int when_false) {
  const std::string_view kind = node.kind();
  if (kind == "parenthesized_expression" && node.child_count() > 0)
    return Decide(node.child(0), when_true, when_false);
  if (kind == "condition_clause") return DecideClause(node, when_true, when_false);
  if (kind == "declaration") return DecideDeclaration(node, when_true, when_false);
  if (kind == "unary_expression" && context_.tree.TextOf(node).starts_with("!")) {
    return Decide(node.field(Field::kArgument), when_false, when_true);
  }
  if (kind == "call_expression" && DecideMethod(node, when_true, when_false)) return;
  if (kind == "call_expression" && IsExpectation(node))
    return Decide(node.field(Field::kArguments).child(0), when_true, when_false);
  if (kind == "binary_expression") {
    const std::string_view operation = context_.tree.TextOf(node.field(Field::kOperator));
    if (operation == "&&" || operation == "||" || operation == "and" || operation == "or") {
      const bool conjunction = operation == "&&" || operation == "and";
      const int second = NewBlock();
      Decide(node.field(Field::kLeft), conjunction ? second : when_true,
             conjunction ? when_false : second);
      current_ = second;
      return Decide(node.field(Field::kRight), when_true, when_false);
    }
    if (DecideComparison(node, operation, when_true, when_false)) return;
  }
  DecideOperand(reader_.Read(node), {Known::kNonZero, Known::kZero, true}, when_true, when_false);
}

bool FlowBuilder::IsExpectation(Node call) const {
  std::string name(context_.tree.TextOf(call.field(Field::kFunction)));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return call.field(Field::kArguments).child_count() > 0 &&
         (name.ends_with("likely") || name == "__builtin_expect");
}

void FlowBuilder::DecideClause(Node clause, int when_true, int when_false) {
  if (const Node initializer = clause.field(Field::kInitializer)) Statement(initializer);
  const Node value = clause.field(Field::kValue);
  Decide(value ? value : clause.child(clause.child_count() - 1), when_true, when_false);
}

void FlowBuilder::DecideDeclaration(Node declaration, int when_true, int when_false) {
  const Node declarator = declaration.field(Field::kDeclarator);
  Node value = declaration.field(Field::kValue);
  reader_.ReadInitialiser(declarator, value);
  Operand name;
  if (!graph_->locals.empty()) name = {Value::kPath, graph_->locals.back(), -1, false};
  DecideOperand(name, {Known::kNonZero, Known::kZero, true}, when_true, when_false);
}

std::optional<FlowBuilder::Edges> FlowBuilder::EdgesOfMethod(std::string_view method) {
  for (const char* success : {"ok", "Ok", "has_value", "success", "succeeded", "is_ok"}) {
    if (method == success) return Edges{Known::kZero, Known::kNonZero};
  }
  for (const char* failure : {"failed", "Failed", "has_error", "is_error"}) {
    if (method == failure) return Edges{Known::kNonZero, Known::kZero};
  }
  return std::nullopt;
}

bool FlowBuilder::DecideMethod(Node call, int when_true, int when_false) {
  const Node function = call.field(Field::kFunction);
  if (!function.Is("field_expression") || call.field(Field::kArguments).child_count() != 0)
    return false;
  const auto edges = EdgesOfMethod(context_.tree.TextOf(function.field(Field::kField)));
  if (!edges || !IsPathNode(function.field(Field::kArgument))) return false;
  result_objects_.insert(reader_.PathOf(function.field(Field::kArgument)));
  DecideOperand(reader_.Read(function.field(Field::kArgument)), *edges, when_true, when_false);
  return true;
}

void FlowBuilder::InvertResultObjects() {
  for (const Event& event : graph_->events) {
    const bool asks =
        event.kind == EventKind::kCall && (event.path == "error" || EdgesOfMethod(event.path));
    if (asks && !event.receiver.empty()) result_objects_.insert(event.receiver);
  }
  for (Block& block : graph_->blocks) {
    Condition& condition = block.condition;
    if (condition.by_truth && result_objects_.contains(condition.path))
      std::swap(condition.when_true, condition.when_false);
  }
}

std::optional<FlowBuilder::Edges> FlowBuilder::EdgesOf(std::string_view operation, Value constant) {
  if (constant == Value::kZero) {
    if (operation == "!=" || operation == "<") return Edges{Known::kNonZero, Known::kZero};
    if (operation == "==" || operation == ">=") return Edges{Known::kZero, Known::kNonZero};
    if (operation == ">") return Edges{Known::kNonZero, Known::kUnknown};
  } else if (constant == Value::kNonZero && operation == "==") {
    return Edges{Known::kNonZero, Known::kUnknown};
  } else if (constant == Value::kNonZero && operation == "!=") {
    return Edges{Known::kUnknown, Known::kNonZero};
  }
  return std::nullopt;
}

// What is compared with true is true or false, and a function that is asked for -1 answers 0
// otherwise.
bool FlowBuilder::IsOneOfTwo(Node constant) const {
  return constant.Is("true") || context_.tree.TextOf(constant) == "-1";
}

bool FlowBuilder::DecideComparison(Node node, std::string_view operation, int when_true,
                                   int when_false) {
  Node subject = node.field(Field::kLeft);
  Value constant = reader_.ConstantOrPath(node.field(Field::kRight)).value;
  if (constant != Value::kZero && constant != Value::kNonZero) {
    subject = node.field(Field::kRight);
    constant = reader_.ConstantOrPath(node.field(Field::kLeft)).value;
  }
  auto edges = EdgesOf(operation, constant);
  if (!edges) return false;
  if (IsOneOfTwo(node.field(Field::kRight)) || IsOneOfTwo(node.field(Field::kLeft))) {
    if (edges->when_true == Known::kUnknown) edges->when_true = Inverse(edges->when_false);
    if (edges->when_false == Known::kUnknown) edges->when_false = Inverse(edges->when_true);
  }
  DecideOperand(reader_.Read(subject), *edges, when_true, when_false);
  return true;
}

void FlowBuilder::DecideOperand(const Operand& operand, Edges edges, int when_true,
                                int when_false) {
  if (operand.value == Value::kZero || operand.value == Value::kNonZero) {
    const Known known = operand.value == Value::kZero ? Known::kZero : Known::kNonZero;
    if (known == edges.when_true || known == edges.when_false)
      return JumpTo(known == edges.when_true ? when_true : when_false);
  }
  Condition condition;
  if (operand.value == Value::kCall) {
    Event& call = graph_->events[operand.call];
    if (call.use == Use::kOther) call.use = Use::kCondition;
    if (operand.inverted) std::swap(edges.when_true, edges.when_false);
    condition = {Condition::Subject::kCall, "",   operand.call, edges.when_true,
                 edges.when_false,          false};
  } else if (operand.value == Value::kPath) {
    condition = {Condition::Subject::kPath, operand.path,     -1,
                 edges.when_true,           edges.when_false, edges.by_truth};
  }
  BranchHere(std::move(condition), when_true, when_false);
}

}  // namespace culprit::inventory
