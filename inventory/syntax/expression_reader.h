// SPDX-License-Identifier: Apache-2.0
// Reads expressions into events, in the order of evaluation, and says what each expression amounts
// to. Knows nothing of statements; FlowBuilder drives it and is told about branches inside
// expressions through BranchSink.
#ifndef CULPRIT_INVENTORY_SYNTAX_EXPRESSION_READER_H_
#define CULPRIT_INVENTORY_SYNTAX_EXPRESSION_READER_H_

#include <string>
#include <string_view>
#include <vector>

#include "inventory/syntax/flow_graph.h"

namespace culprit::inventory {

// What an expression yields.
struct Operand {
  Value value = Value::kOther;
  std::string path;       // kPath
  int call = -1;          // kCall
  bool inverted = false;  // the truth of the expression is the success of the call
};

// What the statement level does for the expression level.
class BranchSink {
 public:
  virtual ~BranchSink() = default;
  virtual void Append(int event) = 0;
  // A macro that may leave the function or jump was called; `call` is the call whose failure makes
  // it do so.
  virtual void MayLeave(const Macro& macro, int call, const std::vector<std::string>& arguments,
                        Node where) = 0;
  virtual void Lambda(Node lambda) = 0;
};

class ExpressionReader {
 public:
  ExpressionReader(const FlowContext& context, FlowGraph* graph, BranchSink* sink)
      : context_(context), graph_(graph), sink_(sink) {}

  Operand Read(Node node);

  // The statement `node;` drops what the expression yields.
  void ReadDropped(Node node);

  // `type declarator = value` of a declaration.
  void ReadInitialiser(Node declarator, Node value, Node type = Node());

  std::string PathOf(Node node) const;
  std::string TextWithoutBlanks(Node node) const;
  Operand ConstantOrPath(Node node) const;  // without emitting events

 private:
  Operand ReadCall(Node node);
  Operand ReadAssignment(Node node, bool value_is_used);
  Operand ReadBinary(Node node);
  Operand ReadChildren(Node node);
  Operand ReadName(Node node);
  int Emit(Event event);
  void Assign(Node target, std::string operation, const Operand& value, Node value_node,
              bool declares);
  std::vector<std::string> ReadArguments(Node arguments, Event* call, std::vector<int>* calls,
                                         std::vector<int>* reads);
  bool IsAddress(Node argument) const;
  bool CombinesWithItself(Node left, Node right) const;
  bool Mentions(Node node, std::string_view path, int depth) const;

  const FlowContext& context_;
  FlowGraph* graph_;
  BranchSink* sink_;
  int depth_ = 0;
};

bool IsPathNode(Node node);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SYNTAX_EXPRESSION_READER_H_
