// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/expression_reader.h"

#include <algorithm>
#include <cctype>

namespace culprit::inventory {
namespace {

// Deeper nesting than any written source has; generated tables and hostile input stop here.
constexpr int kDeepestExpression = 400;

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsCapitals(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isupper(c) || std::isdigit(c) || c == '_';
  });
}

Value ValueOfNumber(std::string_view text) {
  const bool zero = std::all_of(text.begin(), text.end(), [](char c) {
    return IsOneOf(std::string_view(&c, 1), {"0", "x", "u", "U", "l", "L", "."});
  });
  return zero ? Value::kZero : Value::kNonZero;
}

Value ValueOfName(std::string_view name) {
  if (IsOneOf(name, {"NULL", "nullptr", "false", "CUDA_SUCCESS"})) return Value::kZero;
  if (name == "true" || name.starts_with("CUDA_ERROR_")) return Value::kNonZero;
  return Value::kPath;
}

}  // namespace

bool IsPathNode(Node node) {
  return IsOneOf(node.kind(), {"identifier", "field_expression", "subscript_expression",
                               "qualified_identifier", "this", "field_identifier"});
}

std::string ExpressionReader::TextWithoutBlanks(Node node) const {
  std::string text(context_.tree.TextOf(node));
  std::erase_if(text, IsBlank);
  return text;
}

std::string ExpressionReader::PathOf(Node node) const {
  for (int steps = 0; node && steps < kDeepestExpression; ++steps) {
    if (node.Is("parenthesized_expression") && node.child_count() > 0) {
      node = node.child(0);
    } else if (node.Is("pointer_expression")) {
      node = node.field(Field::kArgument);
    } else if (node.Is("cast_expression")) {
      node = node.field(Field::kValue);
    } else if (node.Is("call_expression") && node.field(Field::kFunction).Is("template_function") &&
               node.field(Field::kArguments).child_count() == 1 &&
               context_.tree.TextOf(node.field(Field::kFunction)).find("_cast<") !=
                   std::string_view::npos) {
      node = node.field(Field::kArguments).child(0);
    } else {
      break;
    }
  }
  return node ? TextWithoutBlanks(node) : std::string();
}

Operand ExpressionReader::ConstantOrPath(Node node) const {
  const std::string_view kind = node.kind();
  if (kind == "parenthesized_expression" && node.child_count() > 0)
    return ConstantOrPath(node.child(0));
  if (kind == "number_literal") return {ValueOfNumber(context_.tree.TextOf(node)), "", -1, false};
  if (IsOneOf(kind, {"null", "false", "nullptr"})) return {Value::kZero, "", -1, false};
  if (kind == "true") return {Value::kNonZero, "", -1, false};
  if (kind == "initializer_list" && node.child_count() == 0) return {Value::kZero, "", -1, false};
  if (kind == "compound_literal_expression") return ConstantOrPath(node.field(Field::kValue));
  if (kind == "unary_expression" && context_.tree.TextOf(node).starts_with("-")) {
    const Node argument = node.field(Field::kArgument);
    const Operand inner = ConstantOrPath(argument);
    const bool named_error = inner.value == Value::kPath && IsCapitals(inner.path);
    return {named_error                   ? Value::kNonZero
            : inner.value == Value::kPath ? Value::kOther
                                          : inner.value,
            "", -1, false};
  }
  if (IsPathNode(node)) {
    const std::string path = TextWithoutBlanks(node);
    const Value value = ValueOfName(path);
    return {value, value == Value::kPath ? path : "", -1, false};
  }
  return {};
}

int ExpressionReader::Emit(Event event) {
  graph_->events.push_back(std::move(event));
  const int index = static_cast<int>(graph_->events.size()) - 1;
  sink_->Append(index);
  return index;
}

Operand ExpressionReader::Read(Node node) {
  if (!node || depth_ >= kDeepestExpression) return {};
  ++depth_;
  const std::string_view kind = node.kind();
  Operand operand;
  if (kind == "call_expression") {
    operand = ReadCall(node);
  } else if (kind == "assignment_expression") {
    operand = ReadAssignment(node, true);
  } else if (kind == "parenthesized_expression") {
    operand = node.child_count() > 0 ? Read(node.child(0)) : Operand{};
  } else if (kind == "cast_expression") {
    operand = Read(node.field(Field::kValue));
  } else if (kind == "pointer_expression") {
    operand = Read(node.field(Field::kArgument));
    if (operand.value != Value::kPath) operand = {};
  } else if (kind == "binary_expression") {
    operand = ReadBinary(node);
  } else if (kind == "comma_expression") {
    ReadDropped(node.field(Field::kLeft));
    operand = Read(node.field(Field::kRight));
  } else if (IsPathNode(node)) {
    operand = ReadName(node);
  } else if (kind == "lambda_expression") {
    sink_->Lambda(node);
  } else if (kind == "unary_expression") {
    operand = ConstantOrPath(node);
    if (operand.value == Value::kOther) {
      const Operand inner = Read(node.field(Field::kArgument));
      const bool negates = context_.tree.TextOf(node).starts_with("!");
      if (negates && inner.value == Value::kCall)
        operand = {Value::kCall, "", inner.call, !inner.inverted};
    }
  } else if (kind == "initializer_list" && node.child_count() == 1) {
    operand = Read(node.child(0));
  } else if (kind == "sizeof_expression" || kind == "comment" || kind == "type_descriptor" ||
             kind == "decltype") {
    operand = {};
  } else {
    operand = ConstantOrPath(node);
    if (operand.value == Value::kOther) ReadChildren(node);
  }
  --depth_;
  return operand;
}

Operand ExpressionReader::ReadChildren(Node node) {
  for (uint32_t i = 0; i < node.child_count(); ++i) Read(node.child(i));
  return {};
}

Operand ExpressionReader::ReadName(Node node) {
  const Operand operand = ConstantOrPath(node);
  if (operand.value == Value::kPath)
    Emit({EventKind::kRead, node.begin(), node.end(), operand.path});
  if (node.Is("field_expression")) {
    const Node object = node.field(Field::kArgument);
    if (!IsPathNode(object)) Read(object);
  } else if (node.Is("subscript_expression")) {
    const Node array = node.field(Field::kArgument);
    for (uint32_t i = 0; i < node.child_count(); ++i) {
      if (ts_node_eq(node.child(i).raw(), array.raw()) && IsPathNode(array)) continue;
      Read(node.child(i));
    }
  }
  return operand;
}

void ExpressionReader::ReadDropped(Node node) {
  Node expression = node;
  bool to_void = false;
  while (expression.Is("parenthesized_expression") || expression.Is("cast_expression")) {
    const bool is_cast = expression.Is("cast_expression");
    to_void |= is_cast && TextWithoutBlanks(expression.field(Field::kType)) == "void";
    expression = is_cast ? expression.field(Field::kValue) : expression.child(0);
  }
  if (expression.Is("call_expression") &&
      context_.tree.TextOf(expression.field(Field::kFunction)) == "static_cast<void>") {
    to_void = true;
    expression = expression.field(Field::kArguments).child(0);
  }
  const Operand operand =
      expression.Is("assignment_expression") ? ReadAssignment(expression, false) : Read(expression);
  if (operand.value != Value::kCall) return;
  Event& call = graph_->events[operand.call];
  if (call.use != Use::kOther) return;
  call.use = to_void ? Use::kCastToVoid : Use::kIgnored;
  call.statement_begin = node.begin();
  call.statement_end = node.end();
}

// &x, also behind a cast
bool ExpressionReader::IsAddress(Node argument) const {
  while (argument.Is("parenthesized_expression") || argument.Is("cast_expression")) {
    argument = argument.Is("cast_expression") ? argument.field(Field::kValue) : argument.child(0);
  }
  return argument.Is("pointer_expression") && context_.tree.TextOf(argument).starts_with("&");
}

std::vector<std::string> ExpressionReader::ReadArguments(Node arguments, Event* call,
                                                         std::vector<int>* calls,
                                                         std::vector<int>* reads) {
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < arguments.child_count(); ++i) {
    const Node argument = arguments.child(i);
    if (argument.Is("comment")) continue;
    const Operand operand = Read(argument);
    if (operand.value == Value::kCall) calls->push_back(operand.call);
    texts.push_back(PathOf(argument));
    if (IsAddress(argument)) call->addresses.push_back(texts.back());
    const bool is_read = !graph_->events.empty() &&
                         graph_->events.back().kind == EventKind::kRead &&
                         graph_->events.back().path == texts.back();
    if (is_read) reads->push_back(static_cast<int>(graph_->events.size()) - 1);
  }
  return texts;
}

Operand ExpressionReader::ReadCall(Node node) {
  Node function = node.field(Field::kFunction);
  while (function.Is("parenthesized_expression") && function.child_count() > 0)
    function = function.child(0);
  if (function.Is("pointer_expression")) function = function.field(Field::kArgument);
  const Node arguments = node.field(Field::kArguments);
  if (function.Is("template_function") && arguments.child_count() == 1 &&
      context_.tree.TextOf(function).find("_cast<") != std::string_view::npos) {
    return Read(arguments.child(0));
  }
  if (function.Is("field_expression")) {
    Read(function.field(Field::kArgument));
  } else if (!IsPathNode(function) && !function.Is("template_function")) {
    Read(function);
  }
  std::vector<int> inner_calls, reads;
  Event event{EventKind::kCall, node.begin(), node.end(), ""};
  event.arguments = ReadArguments(arguments, &event, &inner_calls, &reads);
  std::string callee =
      TextWithoutBlanks(function.Is("template_function") ? function.field(Field::kName) : function);
  event.path = std::string(LastComponent(callee));
  if (function.Is("field_expression")) event.receiver = PathOf(function.field(Field::kArgument));
  event.entry = event.path.starts_with("cu") ? FindEntry(event.path) : nullptr;
  if (event.path == "AVERROR") return {Value::kNonZero, "", -1, false};
  const int index = Emit(std::move(event));
  for (const int inner : inner_calls) {
    graph_->events[inner].parent = index;
    graph_->events[inner].use = Use::kArgument;
  }
  for (const int read : reads) graph_->events[read].parent = index;
  const Macro* macro = context_.macros.Find(graph_->events[index].path);
  if (macro && (macro->returns || macro->jumps)) {
    const std::vector<std::string> arguments = graph_->events[index].arguments;
    sink_->MayLeave(*macro, inner_calls.empty() ? index : inner_calls.back(), arguments, node);
  }
  return {Value::kCall, "", index, false};
}

bool ExpressionReader::Mentions(Node node, std::string_view path, int depth) const {
  if (depth >= kDeepestExpression) return false;
  if (IsPathNode(node) && TextWithoutBlanks(node) == path) return true;
  for (uint32_t i = 0; i < node.child_count(); ++i) {
    if (Mentions(node.child(i), path, depth + 1)) return true;
  }
  return false;
}

void ExpressionReader::Assign(Node target, std::string operation, const Operand& value,
                              Node value_node, bool declares) {
  Event event{EventKind::kAssign, target.begin(), target.end(), PathOf(target)};
  event.value = value.value;
  event.source = value.path;
  event.call = value.call;
  event.inverted = value.inverted;
  event.operation = std::move(operation);
  event.declares = declares;
  event.mentions_target = value_node && !declares && Mentions(value_node, event.path, 0);
  event.statement_begin = target.begin();
  event.statement_end = value_node ? value_node.end() : target.end();
  if (value.call >= 0) {
    Event& call = graph_->events[value.call];
    call.use = event.operation == "=" ? Use::kAssigned : Use::kCombined;
    call.target = event.path;
  }
  Emit(std::move(event));
}

// err = err | f(x)
bool ExpressionReader::CombinesWithItself(Node left, Node right) const {
  while (right.Is("parenthesized_expression") && right.child_count() > 0) right = right.child(0);
  if (!right.Is("binary_expression")) return false;
  const std::string_view operation = context_.tree.TextOf(right.field(Field::kOperator));
  return (operation == "|" || operation == "+" || operation == "&") &&
         Mentions(right, PathOf(left), 0);
}

Operand ExpressionReader::ReadAssignment(Node node, bool value_is_used) {
  const Node left = node.field(Field::kLeft);
  const Node right = node.field(Field::kRight);
  const Node operator_node = node.field(Field::kOperator);
  const std::string operation =
      operator_node ? std::string(context_.tree.TextOf(operator_node)) : "=";
  const Operand value = Read(right);
  if (!IsPathNode(left)) Read(left);
  Assign(left, CombinesWithItself(left, right) ? "|" : operation, value, right, false);
  if (value_is_used) Emit({EventKind::kRead, left.begin(), left.end(), PathOf(left)});
  return {Value::kPath, PathOf(left), value.call, value.inverted};
}

void ExpressionReader::ReadInitialiser(Node declarator, Node value, Node type) {
  Node name = declarator;
  for (int steps = 0; steps < 16 && name && !name.Is("identifier"); ++steps) {
    const Node inner = name.field(Field::kDeclarator);
    name = inner ? inner : name.child_count() > 0 ? name.child(0) : Node();
  }
  if (!name) return;
  graph_->locals.emplace_back(context_.tree.TextOf(name));
  if (!value) return;
  if (value.Is("argument_list") && value.child_count() == 1) value = value.child(0);
  const Operand operand = Read(value);
  Assign(name, "=", operand, value, true);
  if (type) graph_->events.back().declared_type = std::string(context_.tree.TextOf(type));
}

Operand ExpressionReader::ReadBinary(Node node) {
  const Node left = node.field(Field::kLeft);
  const Node right = node.field(Field::kRight);
  const std::string_view operation = context_.tree.TextOf(node.field(Field::kOperator));
  const Operand a = Read(left);
  const Operand b = Read(right);
  const Operand& call = a.value == Value::kCall ? a : b;
  const Operand& other = a.value == Value::kCall ? b : a;
  if (operation == "|" || operation == "+" || operation == "&")
    return {Value::kOther, "", call.call, false};
  if (operation != "==" && operation != "!=" && operation != "<") return {};
  if (call.value != Value::kCall || other.value != Value::kZero) return {};
  return {Value::kCall, "", call.call, operation == "=="};
}

}  // namespace culprit::inventory
