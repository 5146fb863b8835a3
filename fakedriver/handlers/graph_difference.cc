// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/graph_difference.h"

#include <algorithm>

namespace culprit::fakedriver::handlers {
namespace {

enum class InsertionOrder : uint8_t { kAny, kSame };

GraphDifference CompareStructure(const GraphPlan& now, const GraphPlan& wanted,
                                 InsertionOrder order) {
  constexpr CUgraphExecUpdateResult kChanged = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  const size_t common = std::min(now.steps.size(), wanted.steps.size());
  for (size_t i = 0; i < common; ++i) {
    const GraphStep& one = now.steps[i];
    const GraphStep& other = wanted.steps[i];
    if (one.after != other.after) return {kChanged, &other};
    if (order == InsertionOrder::kSame && one.place != other.place) return {kChanged, &other};
  }
  if (wanted.steps.size() > common) return {kChanged, &wanted.steps[common]};
  if (now.steps.size() > common) return {kChanged, nullptr};
  return {};
}

GraphDifference CompareAll(const GraphPlan& now, const GraphPlan& wanted, InsertionOrder order) {
  const GraphDifference structure = CompareStructure(now, wanted, order);
  if (structure.result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return structure;
  for (size_t i = 0; i < wanted.steps.size(); ++i) {
    const GraphStep& step = wanted.steps[i];
    const NodeWork& one = *now.steps[i].work;
    const NodeWork& other = *step.work;
    if (one.type() != other.type()) return {CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, &step};
    // Guessed: only the graph that it was made from has the same memory.
    if ((HasMemory(one) || HasMemory(other)) && one.identity() != other.identity())
      return {CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, &step};
    if (one.child_plan() == nullptr || other.child_plan() == nullptr) continue;
    const GraphDifference inside = CompareAll(*one.child_plan(), *other.child_plan(), order);
    if (inside.result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return {inside.result, &step};
  }
  return {};
}

}  // namespace

// Where nodes were added in another order, the interface leaves open which of them are matched; the
// fake takes any order that the edges allow.
GraphDifference Compare(const GraphPlan& now, const GraphPlan& wanted) {
  return CompareAll(now, wanted, InsertionOrder::kAny);
}

// CUDA driver API, cuGraphExecChildGraphNodeSetParams.
bool SameChildGraph(const NodeWork& now, const NodeWork& wanted) {
  if (now.child_plan() == nullptr || wanted.child_plan() == nullptr) return true;
  return CompareAll(*now.child_plan(), *wanted.child_plan(), InsertionOrder::kSame).result ==
         CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
