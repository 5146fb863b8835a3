// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/flow_builder.h"

namespace culprit::inventory {
namespace {

bool EndsProcess(std::string_view name) {
  for (const char* ending : {"exit", "abort", "_exit", "_Exit", "quick_exit", "terminate",
                             "__builtin_unreachable", "__builtin_trap"}) {
    if (name == ending) return true;
  }
  return false;
}

}  // namespace

void FlowBuilder::Build(Node body) {
  current_ = NewBlock();
  Statement(body);
  ExitHere(ExitKind::kEnds, body.end() - 1, body.end());
  InvertResultObjects();
}

void FlowBuilder::Append(int event) {
  Here().events.push_back(event);
  const Event& appended = graph_->events[event];
  if (appended.kind == EventKind::kCall && EndsProcess(appended.path)) {
    ExitHere(ExitKind::kProcessEnds, appended.begin, appended.end);
  }
}

void FlowBuilder::MayLeave(const Macro& macro, int call, const std::vector<std::string>& arguments,
                           Node where) {
  const int leaving = NewBlock();
  const int staying = NewBlock();
  Condition failed{Condition::Subject::kCall, "", call, Known::kNonZero, Known::kZero, false};
  BranchHere(std::move(failed), leaving, staying);
  current_ = leaving;
  const bool by_parameter =
      macro.label_parameter >= 0 && macro.label_parameter < static_cast<int>(arguments.size());
  if (macro.jumps) {
    JumpTo(LabelBlock(by_parameter ? arguments[macro.label_parameter] : macro.label));
  } else {
    ExitHere(ExitKind::kMacroReturn, where.begin(), where.end());
  }
  current_ = staying;
}

int FlowBuilder::NewBlock() {
  graph_->blocks.emplace_back();
  return static_cast<int>(graph_->blocks.size()) - 1;
}

void FlowBuilder::JumpTo(int block) {
  Here().next.push_back(block);
  current_ = NewBlock();
}

void FlowBuilder::FlowInto(int block) {
  Here().next.push_back(block);
  current_ = block;
}

void FlowBuilder::BranchHere(Condition condition, int when_true, int when_false) {
  Block& here = Here();
  here.conditional = true;
  here.condition = std::move(condition);
  here.next = {when_true, when_false};
  current_ = NewBlock();
}

void FlowBuilder::ExitHere(ExitKind kind, uint32_t begin, uint32_t end) {
  Block& here = Here();
  here.exit = kind;
  here.exit_begin = begin;
  here.exit_end = end;
  current_ = NewBlock();
}

int FlowBuilder::LabelBlock(const std::string& label) {
  auto [block, is_new] = labels_.try_emplace(label, 0);
  if (is_new) block->second = NewBlock();
  return block->second;
}

void FlowBuilder::Statement(Node node) {
  if (!node || depth_ >= kDeepestStatement) return;
  ++depth_;
  StatementOfKind(node, node.kind());
  --depth_;
}

void FlowBuilder::Statements(Node node, uint32_t first) {
  for (uint32_t i = first; i < node.child_count(); ++i) Statement(node.child(i));
}

void FlowBuilder::StatementOfKind(Node node, std::string_view kind) {
  if (node.IsError()) {
    graph_->holds_errors = true;
    Statements(node);
  } else if (kind == "compound_statement" || kind == "translation_unit" ||
             kind == "linkage_specification" || kind == "init_statement") {
    Statements(node);
  } else if (kind == "expression_statement") {
    if (node.child_count() > 0) reader_.ReadDropped(node.child(0));
  } else if (kind == "declaration") {
    Declaration(node);
  } else if (kind == "if_statement") {
    If(node);
  } else if (kind == "while_statement") {
    While(node);
  } else if (kind == "do_statement") {
    Do(node);
  } else if (kind == "for_statement") {
    For(node);
  } else if (kind == "for_range_loop") {
    ForRange(node);
  } else if (kind == "switch_statement") {
    Switch(node);
  } else if (kind == "return_statement" || kind == "co_return_statement") {
    Return(node);
  } else if (kind == "goto_statement") {
    JumpTo(LabelBlock(std::string(context_.tree.TextOf(node.field(Field::kLabel)))));
  } else if (kind == "labeled_statement") {
    FlowInto(LabelBlock(std::string(context_.tree.TextOf(node.field(Field::kLabel)))));
    Statements(node, 1);
  } else if (kind == "break_statement") {
    if (!breaks_.empty()) JumpTo(breaks_.back());
  } else if (kind == "continue_statement") {
    if (!continues_.empty()) JumpTo(continues_.back());
  } else if (kind == "try_statement") {
    Try(node);
  } else if (kind == "throw_statement") {
    Statements(node);
    ExitHere(ExitKind::kThrow, node.begin(), node.end());
  } else if (kind.starts_with("preproc_if") || kind.starts_with("preproc_elif")) {
    PreprocessorBranch(node);
  } else if (kind == "attributed_statement" || kind == "else_clause") {
    Statements(node);
  } else if (kind == "case_statement") {
    Statements(node, node.field(Field::kValue)
                         ? 1
                         : 0);  // a case outside of its switch: the parse went wrong around it
  } else if (kind.starts_with("preproc_") || kind == "comment" || kind == "function_definition" ||
             kind == "type_definition") {
    return;
  } else {
    reader_.ReadDropped(node);
  }
}

void FlowBuilder::Declaration(Node node) {
  const size_t known_locals = graph_->locals.size();
  bool outlives_call = false;
  for (uint32_t i = 0; i < node.child_count(); ++i) {
    const Node child = node.child(i);
    outlives_call |=
        child.Is("storage_class_specifier") && context_.tree.TextOf(child) != "register";
    if (child.Is("init_declarator")) {
      reader_.ReadInitialiser(child.field(Field::kDeclarator), child.field(Field::kValue),
                              node.field(Field::kType));
    } else if (child.Is("identifier") || child.kind().ends_with("declarator")) {
      reader_.ReadInitialiser(child, Node());
    }
  }
  if (outlives_call) graph_->locals.resize(known_locals);
}

void FlowBuilder::If(Node node) {
  const int then = NewBlock(), otherwise = NewBlock(), after = NewBlock();
  Decide(node.field(Field::kCondition), then, otherwise);
  current_ = then;
  Statement(node.field(Field::kConsequence));
  FlowInto(after);
  current_ = otherwise;
  Statement(node.field(Field::kAlternative));
  FlowInto(after);
}

void FlowBuilder::LoopBody(Node body, int after, int again) {
  breaks_.push_back(after);
  continues_.push_back(again);
  Statement(body);
  breaks_.pop_back();
  continues_.pop_back();
}

void FlowBuilder::While(Node node) {
  const int head = NewBlock(), body = NewBlock(), after = NewBlock();
  FlowInto(head);
  Decide(node.field(Field::kCondition), body, after);
  current_ = body;
  LoopBody(node.field(Field::kBody), after, head);
  FlowInto(head);
  current_ = after;
}

void FlowBuilder::Do(Node node) {
  const int body = NewBlock(), check = NewBlock(), after = NewBlock();
  FlowInto(body);
  LoopBody(node.field(Field::kBody), after, check);
  FlowInto(check);
  Decide(node.field(Field::kCondition), body, after);
  current_ = after;
}

void FlowBuilder::For(Node node) {
  const int head = NewBlock(), body = NewBlock(), update = NewBlock(), after = NewBlock();
  if (const Node initializer = node.field(Field::kInitializer)) Statement(initializer);
  FlowInto(head);
  if (const Node condition = node.field(Field::kCondition)) {
    Decide(condition, body, after);
  } else {
    JumpTo(body);
  }
  current_ = body;
  LoopBody(node.field(Field::kBody), after, update);
  FlowInto(update);
  if (const Node step = node.field(Field::kUpdate)) reader_.ReadDropped(step);
  JumpTo(head);
  current_ = after;
}

void FlowBuilder::ForRange(Node node) {
  const int head = NewBlock(), body = NewBlock(), after = NewBlock();
  reader_.Read(node.field(Field::kRight));
  reader_.ReadInitialiser(node.field(Field::kDeclarator), Node());
  FlowInto(head);
  BranchHere({}, body, after);
  current_ = body;
  LoopBody(node.field(Field::kBody), after, head);
  FlowInto(head);
  current_ = after;
}

void FlowBuilder::Switch(Node node) {
  const Node condition = node.field(Field::kCondition);
  reader_.Read(condition.Is("condition_clause") ? condition.child(condition.child_count() - 1)
                                                : condition);
  const int dispatch = current_, after = NewBlock();
  current_ = NewBlock();
  breaks_.push_back(after);
  const Node body = node.field(Field::kBody);
  bool has_default = false;
  for (uint32_t i = 0; i < body.child_count(); ++i) {
    const Node child = body.child(i);
    if (!child.Is("case_statement")) {
      Statement(child);
      continue;
    }
    const int entry = NewBlock();
    graph_->blocks[dispatch].next.push_back(entry);
    FlowInto(entry);
    has_default |= !child.field(Field::kValue);
    Statements(child, child.field(Field::kValue) ? 1 : 0);
  }
  breaks_.pop_back();
  if (!has_default) graph_->blocks[dispatch].next.push_back(after);
  FlowInto(after);
}

void FlowBuilder::Return(Node node) {
  Operand operand;
  if (node.child_count() > 0) operand = reader_.Read(node.child(0));
  if (operand.value == Value::kCall && graph_->events[operand.call].use == Use::kOther) {
    graph_->events[operand.call].use = Use::kReturned;
  }
  Here().returned = operand.value;
  Here().returned_path = operand.path;
  Here().returned_call = operand.call;
  ExitHere(ExitKind::kReturn, node.begin(), node.end());
}

void FlowBuilder::Try(Node node) {
  const int before = current_, body = NewBlock(), after = NewBlock();
  Here().next.push_back(body);
  current_ = body;
  Statement(node.field(Field::kBody));
  const int completed = current_;
  Here().next.push_back(after);
  for (uint32_t i = 0; i < node.child_count(); ++i) {
    if (!node.child(i).Is("catch_clause")) continue;
    const int handler = NewBlock();
    graph_->blocks[before].next.push_back(handler);
    graph_->blocks[completed].next.push_back(handler);
    current_ = handler;
    Statement(node.child(i).field(Field::kBody));
    Here().next.push_back(after);
  }
  current_ = after;
}

void FlowBuilder::PreprocessorBranch(Node node) {
  const int taken = NewBlock(), otherwise = NewBlock(), after = NewBlock();
  const Node alternative = node.field(Field::kAlternative);
  const Node condition =
      node.field(Field::kCondition) ? node.field(Field::kCondition) : node.field(Field::kName);
  BranchHere({}, taken, otherwise);
  current_ = taken;
  for (uint32_t i = 0; i < node.child_count(); ++i) {
    const Node child = node.child(i);
    const bool is_part = (alternative && ts_node_eq(child.raw(), alternative.raw())) ||
                         (condition && ts_node_eq(child.raw(), condition.raw()));
    if (!is_part) Statement(child);
  }
  FlowInto(after);
  current_ = otherwise;
  if (alternative && alternative.Is("preproc_else")) {
    Statements(alternative);
  } else if (alternative) {
    Statement(alternative);
  }
  FlowInto(after);
}

}  // namespace culprit::inventory
