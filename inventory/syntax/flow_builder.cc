// SPDX-License-Identifier: Apache-2.0
// Statements to blocks. Every statement leaves `current_` at the block where execution goes on;
// after a return or a goto that is a fresh block without predecessors, so code behind it is read
// but never reached.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "inventory/syntax/expression_reader.h"
#include "inventory/syntax/flow_graph.h"

namespace culprit::inventory {
namespace {

constexpr int kDeepestStatement = 300;

bool EndsProcess(std::string_view name) {
  for (const char* ending : {"exit", "abort", "_exit", "_Exit", "quick_exit", "terminate",
                             "__builtin_unreachable", "__builtin_trap"}) {
    if (name == ending) return true;
  }
  return false;
}

class FlowBuilder : public BranchSink {
 public:
  FlowBuilder(const FlowContext& context, FlowGraph* graph)
      : context_(context), graph_(graph), reader_(context, graph, this) {}

  void Build(Node body) {
    current_ = NewBlock();
    Statement(body);
    ExitHere(ExitKind::kEnds, body.end() - 1, body.end());
  }

  std::vector<Node> TakeLambdas() { return std::move(lambdas_); }

  void Append(int event) override {
    Here().events.push_back(event);
    const Event& appended = graph_->events[event];
    if (appended.kind == EventKind::kCall && EndsProcess(appended.path)) {
      ExitHere(ExitKind::kProcessEnds, appended.begin, appended.end);
    }
  }

  void MayLeave(const Macro& macro, int call, const std::vector<std::string>& arguments,
                Node where) override {
    const int leaving = NewBlock();
    const int staying = NewBlock();
    Condition failed{Condition::Subject::kCall, "", call, Known::kNonZero, Known::kZero};
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

  void Lambda(Node lambda) override { lambdas_.push_back(lambda); }

 private:
  Block& Here() { return graph_->blocks[current_]; }

  int NewBlock() {
    graph_->blocks.emplace_back();
    return static_cast<int>(graph_->blocks.size()) - 1;
  }

  void JumpTo(int block) {
    Here().next.push_back(block);
    current_ = NewBlock();
  }

  // Goes on in `block`.
  void FlowInto(int block) {
    Here().next.push_back(block);
    current_ = block;
  }

  void BranchHere(Condition condition, int when_true, int when_false) {
    Block& here = Here();
    here.conditional = true;
    here.condition = std::move(condition);
    here.next = {when_true, when_false};
    current_ = NewBlock();
  }

  void ExitHere(ExitKind kind, uint32_t begin, uint32_t end) {
    Block& here = Here();
    here.exit = kind;
    here.exit_begin = begin;
    here.exit_end = end;
    current_ = NewBlock();
  }

  int LabelBlock(const std::string& label) {
    auto [block, is_new] = labels_.try_emplace(label, 0);
    if (is_new) block->second = NewBlock();
    return block->second;
  }

  void Statement(Node node) {
    if (!node || depth_ >= kDeepestStatement) return;
    ++depth_;
    StatementOfKind(node, node.kind());
    --depth_;
  }

  void Statements(Node node, uint32_t first = 0) {
    for (uint32_t i = first; i < node.child_count(); ++i) Statement(node.child(i));
  }

  void StatementOfKind(Node node, std::string_view kind) {
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
      JumpTo(LabelBlock(std::string(context_.tree.TextOf(node.field("label")))));
    } else if (kind == "labeled_statement") {
      FlowInto(LabelBlock(std::string(context_.tree.TextOf(node.field("label")))));
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
      Statements(node, node.field("value")
                           ? 1
                           : 0);  // a case outside of its switch: the parse went wrong around it
    } else if (kind.starts_with("preproc_") || kind == "comment" || kind == "function_definition" ||
               kind == "type_definition") {
      return;
    } else {
      reader_.ReadDropped(node);
    }
  }

  void Declaration(Node node) {
    const size_t known_locals = graph_->locals.size();
    bool outlives_call = false;
    for (uint32_t i = 0; i < node.child_count(); ++i) {
      const Node child = node.child(i);
      outlives_call |=
          child.Is("storage_class_specifier") && context_.tree.TextOf(child) != "register";
      if (child.Is("init_declarator")) {
        reader_.ReadInitialiser(child.field("declarator"), child.field("value"));
      } else if (child.Is("identifier") || child.kind().ends_with("declarator")) {
        reader_.ReadInitialiser(child, Node());
      }
    }
    if (outlives_call) graph_->locals.resize(known_locals);
  }

  // Branches on `node`, decomposing && || ! and comparisons with constants.
  void Decide(Node node, int when_true, int when_false) {
    if (depth_ >= kDeepestStatement) return;
    ++depth_;
    DecideOfKind(node, when_true, when_false);
    --depth_;
  }

  void DecideOfKind(Node node, int when_true, int when_false) {
    const std::string_view kind = node.kind();
    if (kind == "parenthesized_expression" && node.child_count() > 0)
      return Decide(node.child(0), when_true, when_false);
    if (kind == "condition_clause") return DecideClause(node, when_true, when_false);
    if (kind == "declaration") return DecideDeclaration(node, when_true, when_false);
    if (kind == "unary_expression" && context_.tree.TextOf(node).starts_with("!")) {
      return Decide(node.field("argument"), when_false, when_true);
    }
    if (kind == "call_expression" && IsExpectation(node))
      return Decide(node.field("arguments").child(0), when_true, when_false);
    if (kind == "binary_expression") {
      const std::string_view operation = context_.tree.TextOf(node.field("operator"));
      if (operation == "&&" || operation == "||" || operation == "and" || operation == "or") {
        const bool conjunction = operation == "&&" || operation == "and";
        const int second = NewBlock();
        Decide(node.field("left"), conjunction ? second : when_true,
               conjunction ? when_false : second);
        current_ = second;
        return Decide(node.field("right"), when_true, when_false);
      }
      if (DecideComparison(node, operation, when_true, when_false)) return;
    }
    DecideOperand(reader_.Read(node), {Known::kNonZero, Known::kZero}, when_true, when_false);
  }

  // __builtin_expect(x, 0), unlikely(x): the hint changes nothing.
  bool IsExpectation(Node call) const {
    std::string name(context_.tree.TextOf(call.field("function")));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return call.field("arguments").child_count() > 0 &&
           (name.ends_with("likely") || name == "__builtin_expect");
  }

  void DecideClause(Node clause, int when_true, int when_false) {
    if (const Node initializer = clause.field("initializer")) Statement(initializer);
    const Node value = clause.field("value");
    Decide(value ? value : clause.child(clause.child_count() - 1), when_true, when_false);
  }

  // if (CUresult r = cuInit(0))
  void DecideDeclaration(Node declaration, int when_true, int when_false) {
    const Node declarator = declaration.field("declarator");
    Node value = declaration.field("value");
    reader_.ReadInitialiser(declarator, value);
    Operand name;
    if (!graph_->locals.empty()) name = {Value::kPath, graph_->locals.back(), -1, false};
    DecideOperand(name, {Known::kNonZero, Known::kZero}, when_true, when_false);
  }

  struct Edges {
    Known when_true, when_false;
  };

  static std::optional<Edges> EdgesOf(std::string_view operation, Value constant) {
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

  bool DecideComparison(Node node, std::string_view operation, int when_true, int when_false) {
    Node subject = node.field("left");
    Value constant = reader_.ConstantOrPath(node.field("right")).value;
    if (constant != Value::kZero && constant != Value::kNonZero) {
      subject = node.field("right");
      constant = reader_.ConstantOrPath(node.field("left")).value;
    }
    const auto edges = EdgesOf(operation, constant);
    if (!edges) return false;
    DecideOperand(reader_.Read(subject), *edges, when_true, when_false);
    return true;
  }

  void DecideOperand(const Operand& operand, Edges edges, int when_true, int when_false) {
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
      condition = {Condition::Subject::kCall, "", operand.call, edges.when_true, edges.when_false};
    } else if (operand.value == Value::kPath) {
      condition = {Condition::Subject::kPath, operand.path, -1, edges.when_true, edges.when_false};
    }
    BranchHere(std::move(condition), when_true, when_false);
  }

  void If(Node node) {
    const int then = NewBlock(), otherwise = NewBlock(), after = NewBlock();
    Decide(node.field("condition"), then, otherwise);
    current_ = then;
    Statement(node.field("consequence"));
    FlowInto(after);
    current_ = otherwise;
    Statement(node.field("alternative"));
    FlowInto(after);
  }

  void LoopBody(Node body, int after, int again) {
    breaks_.push_back(after);
    continues_.push_back(again);
    Statement(body);
    breaks_.pop_back();
    continues_.pop_back();
  }

  void While(Node node) {
    const int head = NewBlock(), body = NewBlock(), after = NewBlock();
    FlowInto(head);
    Decide(node.field("condition"), body, after);
    current_ = body;
    LoopBody(node.field("body"), after, head);
    FlowInto(head);
    current_ = after;
  }

  void Do(Node node) {
    const int body = NewBlock(), check = NewBlock(), after = NewBlock();
    FlowInto(body);
    LoopBody(node.field("body"), after, check);
    FlowInto(check);
    Decide(node.field("condition"), body, after);
    current_ = after;
  }

  void For(Node node) {
    const int head = NewBlock(), body = NewBlock(), update = NewBlock(), after = NewBlock();
    if (const Node initializer = node.field("initializer")) Statement(initializer);
    FlowInto(head);
    if (const Node condition = node.field("condition")) {
      Decide(condition, body, after);
    } else {
      JumpTo(body);
    }
    current_ = body;
    LoopBody(node.field("body"), after, update);
    FlowInto(update);
    if (const Node step = node.field("update")) reader_.ReadDropped(step);
    JumpTo(head);
    current_ = after;
  }

  void ForRange(Node node) {
    const int head = NewBlock(), body = NewBlock(), after = NewBlock();
    reader_.Read(node.field("right"));
    reader_.ReadInitialiser(node.field("declarator"), Node());
    FlowInto(head);
    BranchHere({}, body, after);
    current_ = body;
    LoopBody(node.field("body"), after, head);
    FlowInto(head);
    current_ = after;
  }

  void Switch(Node node) {
    const Node condition = node.field("condition");
    reader_.Read(condition.Is("condition_clause") ? condition.child(condition.child_count() - 1)
                                                  : condition);
    const int dispatch = current_, after = NewBlock();
    current_ = NewBlock();
    breaks_.push_back(after);
    const Node body = node.field("body");
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
      has_default |= !child.field("value");
      Statements(child, child.field("value") ? 1 : 0);
    }
    breaks_.pop_back();
    if (!has_default) graph_->blocks[dispatch].next.push_back(after);
    FlowInto(after);
  }

  void Return(Node node) {
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

  // A handler may run after any part of the body; the paths from the body's start and its end stand
  // for them.
  void Try(Node node) {
    const int before = current_, body = NewBlock(), after = NewBlock();
    Here().next.push_back(body);
    current_ = body;
    Statement(node.field("body"));
    const int completed = current_;
    Here().next.push_back(after);
    for (uint32_t i = 0; i < node.child_count(); ++i) {
      if (!node.child(i).Is("catch_clause")) continue;
      const int handler = NewBlock();
      graph_->blocks[before].next.push_back(handler);
      graph_->blocks[completed].next.push_back(handler);
      current_ = handler;
      Statement(node.child(i).field("body"));
      Here().next.push_back(after);
    }
    current_ = after;
  }

  // Whether the branch is compiled is unknown (dead ones were blanked before parsing), so both are
  // paths.
  void PreprocessorBranch(Node node) {
    const int taken = NewBlock(), otherwise = NewBlock(), after = NewBlock();
    const Node alternative = node.field("alternative");
    const Node condition = node.field("condition") ? node.field("condition") : node.field("name");
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

  const FlowContext& context_;
  FlowGraph* graph_;
  ExpressionReader reader_;
  std::map<std::string, int> labels_;
  std::vector<int> breaks_, continues_;
  std::vector<Node> lambdas_;
  int current_ = 0;
  int depth_ = 0;
};

void ReadParameters(const SyntaxTree& tree, Node declarator, FlowGraph* graph) {
  for (int steps = 0; steps < 8 && declarator && !declarator.field("parameters"); ++steps)
    declarator = declarator.field("declarator");
  const Node parameters = declarator.field("parameters");
  for (uint32_t i = 0; i < parameters.child_count(); ++i) {
    Node name = parameters.child(i).field("declarator");
    for (int steps = 0; steps < 8 && name && !name.Is("identifier"); ++steps) {
      const Node inner = name.field("declarator");
      name = inner ? inner : name.child_count() > 0 ? name.child(0) : Node();
    }
    graph->parameters.emplace_back(name ? tree.TextOf(name) : std::string_view());
  }
}

class GraphCollector {
 public:
  GraphCollector(const FlowContext& context, const std::vector<const FunctionSpan*>& wanted)
      : context_(context), wanted_(wanted) {}

  std::vector<FlowGraph> Run() {
    TSTreeCursor cursor = ts_tree_cursor_new(context_.tree.root().raw());
    for (bool done = false; !done;) {
      const Node node(ts_tree_cursor_current_node(&cursor));
      bool descend = Overlaps(node);
      if (descend && node.Is("function_definition") && node.field("body")) {
        Add(node, NameAt(node));
        descend = false;
      }
      if (descend && ts_tree_cursor_goto_first_child(&cursor)) continue;
      while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
        if (ts_tree_cursor_goto_parent(&cursor)) continue;
        done = true;
        break;
      }
    }
    ts_tree_cursor_delete(&cursor);
    return std::move(graphs_);
  }

 private:
  // The spans are disjoint and in file order.
  bool Overlaps(Node node) const {
    const auto first = std::partition_point(
        wanted_.begin(), wanted_.end(),
        [&](const FunctionSpan* span) { return span->body_end <= node.begin(); });
    return first != wanted_.end() && (*first)->begin < node.end();
  }

  std::string NameAt(Node function) const {
    const FunctionSpan* span = context_.outline.At(function.field("body").begin());
    return span ? span->name : std::string();
  }

  void Add(Node function, const std::string& name) {
    FlowGraph graph;
    graph.function = name;
    graph.begin = function.begin();
    graph.end = function.end();
    ReadParameters(context_.tree, function.field("declarator"), &graph);
    FlowBuilder builder(context_, &graph);
    builder.Build(function.field("body"));
    graphs_.push_back(std::move(graph));
    for (const Node lambda : builder.TakeLambdas()) {
      if (lambda.field("body"))
        Add(lambda, name.ends_with("::(lambda)") ? name : name + "::(lambda)");
    }
  }

  const FlowContext& context_;
  const std::vector<const FunctionSpan*>& wanted_;
  std::vector<FlowGraph> graphs_;
};

}  // namespace

std::vector<FlowGraph> BuildFlowGraphs(const FlowContext& context,
                                       const std::vector<const FunctionSpan*>& wanted) {
  return GraphCollector(context, wanted).Run();
}

}  // namespace culprit::inventory
