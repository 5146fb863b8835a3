// SPDX-License-Identifier: Apache-2.0
#include "inventory/syntax/flow_graph.h"

#include <algorithm>
#include <utility>

#include "inventory/syntax/flow_builder.h"

namespace culprit::inventory {
namespace {

void ReadParameters(const SyntaxTree& tree, Node declarator, FlowGraph* graph) {
  for (int steps = 0; steps < 8 && declarator && !declarator.field(Field::kParameters); ++steps)
    declarator = declarator.field(Field::kDeclarator);
  const Node parameters = declarator.field(Field::kParameters);
  for (uint32_t i = 0; i < parameters.child_count(); ++i) {
    Node name = parameters.child(i).field(Field::kDeclarator);
    for (int steps = 0; steps < 8 && name && !name.Is("identifier"); ++steps) {
      const Node inner = name.field(Field::kDeclarator);
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
      if (descend && node.Is("function_definition") && node.field(Field::kBody)) {
        Add(node, NameAt(node), {});
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
    const FunctionSpan* span = context_.outline.At(function.field(Field::kBody).begin());
    return span ? span->name : std::string();
  }

  // `outer`: names that a lambda may capture; they are no locals of its own.
  void Add(Node function, const std::string& name, const std::vector<std::string>& outer) {
    FlowGraph graph;
    graph.function = name;
    graph.begin = function.begin();
    graph.end = function.end();
    ReadParameters(context_.tree, function.field(Field::kDeclarator), &graph);
    graph.parameters.insert(graph.parameters.end(), outer.begin(), outer.end());
    FlowBuilder builder(context_, &graph);
    builder.Build(function.field(Field::kBody));
    std::vector<std::string> visible = graph.parameters;
    visible.insert(visible.end(), graph.locals.begin(), graph.locals.end());
    graphs_.push_back(std::move(graph));
    for (const Node lambda : builder.TakeLambdas()) {
      if (lambda.field(Field::kBody))
        Add(lambda, name.ends_with("::(lambda)") ? name : name + "::(lambda)", visible);
    }
  }

  const FlowContext& context_;
  const std::vector<const FunctionSpan*>& wanted_;
  std::vector<FlowGraph> graphs_;
};

}  // namespace

std::string_view LastComponent(std::string_view path) {
  while (path.ends_with(']')) {
    int depth = 0;
    size_t open = path.size();
    do {
      --open;
      depth += path[open] == ']' ? 1 : path[open] == '[' ? -1 : 0;
    } while (depth > 0 && open > 0);
    path = path.substr(0, open);
  }
  size_t start = path.size();
  while (start > 0) {
    const char c = path[start - 1];
    const bool in_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '~';
    if (!in_name) break;
    --start;
  }
  return path.substr(start);
}

std::vector<FlowGraph> BuildFlowGraphs(const FlowContext& context,
                                       const std::vector<const FunctionSpan*>& wanted) {
  return GraphCollector(context, wanted).Run();
}

}  // namespace culprit::inventory
