// SPDX-License-Identifier: Apache-2.0
//
// Handles of graphs, nodes and executables. A bad one is CUDA_ERROR_INVALID_VALUE here, null
// included (measured).
#ifndef FAKEDRIVER_HANDLERS_GRAPH_OBJECT_H_
#define FAKEDRIVER_HANDLERS_GRAPH_OBJECT_H_

#include <vector>

#include "fakedriver/core/graph.h"
#include "fakedriver/core/user_object.h"

namespace culprit::fakedriver::handlers {

// What graphs with memory nodes refuse: a second executable, copies, losing a node or an edge. For
// copies it was seen on a driver, for the rest it is guessed.
inline constexpr CUresult kNotWithMemoryNodes = CUDA_ERROR_NOT_SUPPORTED;

CUresult NeedGraph(CUgraph handle, const char* argument, Ref<Graph>* graph);
CUresult NeedNode(CUgraphNode handle, const char* argument, Ref<GraphNode>* node);
CUresult NeedExec(CUgraphExec handle, const char* argument, Ref<GraphExec>* exec);
CUresult NeedUserObject(CUuserObject handle, const char* argument, Ref<UserObject>* object);
// All of one graph.
CUresult NeedNodes(const Graph& graph, const CUgraphNode* handles, size_t count,
                   std::vector<Ref<GraphNode>>* nodes);

// Takes its lock.
bool HasMemoryNodes(Graph& graph);

// Adds a node with that work after the named ones.
CUresult AddNode(CUgraph hGraph, const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                 size_t count, Work work, CUgraphNode* out);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_GRAPH_OBJECT_H_
