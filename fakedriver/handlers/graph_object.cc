// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/graph_object.h"

#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

template <typename T>
CUresult NeedValue(const void* handle, const char* argument, Ref<T>* object) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return Need<T>(handle, argument, object) == CUDA_SUCCESS ? CUDA_SUCCESS
                                                           : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

CUresult NeedGraph(CUgraph handle, const char* argument, Ref<Graph>* graph) {
  return NeedValue(handle, argument, graph);
}
CUresult NeedNode(CUgraphNode handle, const char* argument, Ref<GraphNode>* node) {
  return NeedValue(handle, argument, node);
}
CUresult NeedExec(CUgraphExec handle, const char* argument, Ref<GraphExec>* exec) {
  return NeedValue(handle, argument, exec);
}
CUresult NeedUserObject(CUuserObject handle, const char* argument, Ref<UserObject>* object) {
  return NeedValue(handle, argument, object);
}

CUresult NeedNodes(const Graph& graph, const CUgraphNode* handles, size_t count,
                   std::vector<Ref<GraphNode>>* nodes) {
  if (count > 0 && handles == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    Ref<GraphNode> node;
    if (CUresult result = NeedNode(handles[i], "dependencies", &node)) return result;
    if (&node->graph() != &graph) return CUDA_ERROR_INVALID_VALUE;
    nodes->push_back(std::move(node));
  }
  return CUDA_SUCCESS;
}

bool HasMemoryNodes(Graph& graph) {
  std::lock_guard lock(graph.mutex());
  return graph.HasMemoryNodes();
}

CUresult AddNode(CUgraph hGraph, const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                 size_t count, Work work, CUgraphNode* out) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Ref<GraphNode>> nodes;
  if (CUresult result = NeedNodes(*graph, dependencies, count, &nodes)) return result;
  std::vector<GraphNode::Edge> after;
  for (size_t i = 0; i < count; ++i) {
    after.push_back({nodes[i].get(), edges == nullptr ? CUgraphEdgeData{} : edges[i]});
  }
  std::lock_guard lock(graph->mutex());
  *out = reinterpret_cast<CUgraphNode>(graph->Add(std::move(work), after).handle());
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
