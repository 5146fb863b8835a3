// SPDX-License-Identifier: Apache-2.0
// Builds the flow graph of one function. Every statement leaves `current_` at the block where
// execution goes on; after a return or a goto that is a fresh block without predecessors, so code
// behind it is read but never reached.
//
// flow_builder.cc reads statements, flow_conditions.cc what they branch on.
#ifndef CULPRIT_INVENTORY_SYNTAX_FLOW_BUILDER_H_
#define CULPRIT_INVENTORY_SYNTAX_FLOW_BUILDER_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inventory/syntax/expression_reader.h"
#include "inventory/syntax/flow_graph.h"

namespace culprit::inventory {

class FlowBuilder : public BranchSink {
 public:
  FlowBuilder(const FlowContext& context, FlowGraph* graph)
      : context_(context), graph_(graph), reader_(context, graph, this) {}

  void Build(Node body);

  std::vector<Node> TakeLambdas() { return std::move(lambdas_); }

  void Append(int event) override;

  void MayLeave(const Macro& macro, int call, const std::vector<std::string>& arguments,
                Node where) override;

  void Lambda(Node lambda) override { lambdas_.push_back(lambda); }

 private:
  // Nested deeper than any written source: generated code and hostile input stop here.
  static constexpr int kDeepestStatement = 300;

  struct Edges {
    Known when_true, when_false;
    bool by_truth = false;
  };

  Block& Here() { return graph_->blocks[current_]; }
  int NewBlock();
  void JumpTo(int block);
  // Goes on in `block`.
  void FlowInto(int block);
  void BranchHere(Condition condition, int when_true, int when_false);
  void ExitHere(ExitKind kind, uint32_t begin, uint32_t end);
  int LabelBlock(const std::string& label);
  void Statement(Node node);
  void Statements(Node node, uint32_t first = 0);
  void StatementOfKind(Node node, std::string_view kind);
  void Declaration(Node node);
  // Branches on `node`, decomposing && || ! and comparisons with constants.
  void Decide(Node node, int when_true, int when_false);
  void DecideOfKind(Node node, int when_true, int when_false);
  // __builtin_expect(x, 0), unlikely(x): the hint changes nothing.
  bool IsExpectation(Node call) const;
  void DecideClause(Node clause, int when_true, int when_false);
  // if (CUresult r = cuInit(0))
  void DecideDeclaration(Node declaration, int when_true, int when_false);
  // r.ok(), r.has_value(), r.failed(): a test of r by a method of its class.
  static std::optional<Edges> EdgesOfMethod(std::string_view method);
  bool DecideMethod(Node call, int when_true, int when_false);
  // An object that answers ok() or error() is true when it holds no error: for `if (!r) return
  // r.error();` the usual sense of a result, where zero is success, is turned round.
  void InvertResultObjects();
  static std::optional<Edges> EdgesOf(std::string_view operation, Value constant);
  bool IsOneOfTwo(Node constant) const;
  bool DecideComparison(Node node, std::string_view operation, int when_true, int when_false);
  void DecideOperand(const Operand& operand, Edges edges, int when_true, int when_false);
  void If(Node node);
  void LoopBody(Node body, int after, int again);
  void While(Node node);
  void Do(Node node);
  void For(Node node);
  void ForRange(Node node);
  void Switch(Node node);
  void Return(Node node);
  // A handler may run after any part of the body; the paths from the body's start and its end stand
  // for them.
  void Try(Node node);
  // Whether the branch is compiled is unknown (dead ones were blanked before parsing), so both are
  // paths.
  void PreprocessorBranch(Node node);

  const FlowContext& context_;
  FlowGraph* graph_;
  ExpressionReader reader_;
  std::map<std::string, int> labels_;
  std::set<std::string> result_objects_;  // paths that are asked ok() or error()
  std::vector<int> breaks_, continues_;
  std::vector<Node> lambdas_;
  int current_ = 0;
  int depth_ = 0;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SYNTAX_FLOW_BUILDER_H_
