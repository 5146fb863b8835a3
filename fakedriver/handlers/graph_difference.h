// SPDX-License-Identifier: Apache-2.0
//
// What keeps an executable from taking over another graph's work.
#ifndef FAKEDRIVER_HANDLERS_GRAPH_DIFFERENCE_H_
#define FAKEDRIVER_HANDLERS_GRAPH_DIFFERENCE_H_

#include "fakedriver/core/graph.h"

namespace culprit::fakedriver::handlers {

struct GraphDifference {
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  // Of the wanted plan; for a difference inside a child graph, the node that has it (guessed). Null
  // when nothing differs, or what differs is that a node is missing.
  const GraphStep* step = nullptr;
};

// Child graphs are compared too, at any depth.
GraphDifference Compare(const GraphPlan& now, const GraphPlan& wanted);
// In addition nodes were added in the same order. Of work without a child graph: always.
bool SameChildGraph(const NodeWork& now, const NodeWork& wanted);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_GRAPH_DIFFERENCE_H_
