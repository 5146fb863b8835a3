// SPDX-License-Identifier: Apache-2.0
//
// Graphs as structures: making and ending them, their nodes and edges.
#include "fakedriver/core/graph.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/graph_object.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUgraphNode HandleOf(const GraphNode& node) { return reinterpret_cast<CUgraphNode>(node.handle()); }

// As the API lists things: without an array it counts; with one it fills so many, puts null in what
// is left over, and says how many there were.
template <typename Put>
CUresult List(size_t available, bool wanted, size_t* count, Put put) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!wanted) {
    *count = available;
    return CUDA_SUCCESS;
  }
  for (size_t i = 0; i < *count; ++i) put(i, i < available);
  *count = std::min(*count, available);
  return CUDA_SUCCESS;
}

CUresult ListNodes(const std::vector<const GraphNode*>& nodes, CUgraphNode* out, size_t* count) {
  return List(nodes.size(), out != nullptr, count,
              [&](size_t i, bool there) { out[i] = there ? HandleOf(*nodes[i]) : nullptr; });
}

struct EdgeView {
  const GraphNode* from;
  const GraphNode* to;
  CUgraphEdgeData data;
};

bool IsPlain(const CUgraphEdgeData& data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == 0;
}

// CUDA driver API: an entry that cannot show edge data fails when there is some to show.
CUresult ListEdges(const std::vector<EdgeView>& edges, CUgraphNode* from, CUgraphNode* to,
                   CUgraphEdgeData* data, bool shows_data, size_t* count) {
  const bool wanted = from != nullptr || to != nullptr;
  if (wanted && !shows_data && !std::all_of(edges.begin(), edges.end(), [](const EdgeView& edge) {
        return IsPlain(edge.data);
      })) {
    return CUDA_ERROR_LOSSY_QUERY;
  }
  return List(edges.size(), wanted, count, [&](size_t i, bool there) {
    if (from != nullptr) from[i] = there ? HandleOf(*edges[i].from) : nullptr;
    if (to != nullptr) to[i] = there ? HandleOf(*edges[i].to) : nullptr;
    if (data != nullptr && there) data[i] = edges[i].data;
  });
}

CUresult GetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                  bool shows_data, size_t* count) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  if ((from == nullptr) != (to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(graph->mutex());
  std::vector<EdgeView> edges;
  for (const Ref<GraphNode>& node : graph->nodes()) {
    for (const GraphNode::Edge& edge : node->dependencies())
      edges.push_back({edge.from, node.get(), edge.data});
  }
  return ListEdges(edges, from, to, data, shows_data, count);
}

CUresult GetDependencies(CUgraphNode hNode, CUgraphNode* out, CUgraphEdgeData* data,
                         bool shows_data, size_t* count) {
  Ref<GraphNode> node;
  if (CUresult result = NeedNode(hNode, "hNode", &node)) return result;
  std::lock_guard lock(node->graph().mutex());
  std::vector<EdgeView> edges;
  for (const GraphNode::Edge& edge : node->dependencies())
    edges.push_back({edge.from, node.get(), edge.data});
  return ListEdges(edges, out, nullptr, data, shows_data, count);
}

CUresult GetDependents(CUgraphNode hNode, CUgraphNode* out, CUgraphEdgeData* data, bool shows_data,
                       size_t* count) {
  Ref<GraphNode> node;
  if (CUresult result = NeedNode(hNode, "hNode", &node)) return result;
  std::lock_guard lock(node->graph().mutex());
  std::vector<EdgeView> edges;
  for (const Ref<GraphNode>& other : node->graph().nodes()) {
    for (const GraphNode::Edge& edge : other->dependencies()) {
      if (edge.from == node.get()) edges.push_back({edge.from, other.get(), edge.data});
    }
  }
  return ListEdges(edges, nullptr, out, data, shows_data, count);
}

auto FindEdge(GraphNode& to, const GraphNode& from) {
  auto& edges = to.dependencies();
  return std::find_if(edges.begin(), edges.end(),
                      [&](const GraphNode::Edge& edge) { return edge.from == &from; });
}

// All edges or none.
CUresult ChangeEdges(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                     const CUgraphEdgeData* data, size_t count, bool add) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  std::vector<Ref<GraphNode>> sources;
  std::vector<Ref<GraphNode>> targets;
  if (CUresult result = NeedNodes(*graph, from, count, &sources)) return result;
  if (CUresult result = NeedNodes(*graph, to, count, &targets)) return result;
  std::lock_guard lock(graph->mutex());
  if (!add && count > 0 && graph->HasMemoryNodes()) return kNotWithMemoryNodes;
  for (size_t i = 0; i < count; ++i) {
    const bool exists = FindEdge(*targets[i], *sources[i]) != targets[i]->dependencies().end();
    if (exists == add || sources[i].get() == targets[i].get()) return CUDA_ERROR_INVALID_VALUE;
  }
  for (size_t i = 0; i < count; ++i) {
    auto& edges = targets[i]->dependencies();
    if (add) {
      edges.push_back({sources[i].get(), data == nullptr ? CUgraphEdgeData{} : data[i]});
    } else {
      edges.erase(FindEdge(*targets[i], *sources[i]));
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuGraphCreate(CUgraph* phGraph, unsigned int flags) {
  if (phGraph == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  *phGraph = reinterpret_cast<CUgraph>(Register(Make<Graph>()));
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph hGraph) {
  if (hGraph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<Graph> graph;
  if (NeedForDestroy(hGraph, "hGraph", &graph) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
  if (!graph) return CUDA_SUCCESS;
  if (graph->embedded()) return CUDA_ERROR_INVALID_VALUE;
  if (!Unregister(graph)) return CUDA_ERROR_INVALID_VALUE;
  DestroyGraph(graph);
  return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph* phGraphClone, CUgraph originalGraph) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(originalGraph, "originalGraph", &graph)) return result;
  if (phGraphClone == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (HasMemoryNodes(*graph)) return kNotWithMemoryNodes;
  *phGraphClone = reinterpret_cast<CUgraph>(CloneGraph(*graph)->handle());
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode* phNode, CUgraphNode hOriginalNode,
                                CUgraph hClonedGraph) {
  Ref<GraphNode> original;
  if (CUresult result = NeedNode(hOriginalNode, "hOriginalNode", &original)) return result;
  Ref<Graph> clone;
  if (CUresult result = NeedGraph(hClonedGraph, "hClonedGraph", &clone)) return result;
  if (phNode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(clone->mutex());
  for (const Ref<GraphNode>& node : clone->nodes()) {
    if (node->original() != original->handle()) continue;
    *phNode = HandleOf(*node);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType* type) {
  Ref<GraphNode> node;
  if (CUresult result = NeedNode(hNode, "hNode", &node)) return result;
  if (type == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(node->graph().mutex());
  *type = node->work()->type();
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroyNode(CUgraphNode hNode) {
  if (hNode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<GraphNode> node;
  if (NeedForDestroy(hNode, "hNode", &node) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
  if (!node) return CUDA_SUCCESS;
  Work work;
  {
    std::lock_guard lock(node->graph().mutex());
    if (node->graph().HasMemoryNodes()) return kNotWithMemoryNodes;
    work = node->work();
    node->graph().Remove(*node);
  }
  EndChildOf(*work);
  return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  std::lock_guard lock(graph->mutex());
  std::vector<const GraphNode*> all;
  for (const Ref<GraphNode>& node : graph->nodes()) all.push_back(node.get());
  return ListNodes(all, nodes, numNodes);
}

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode* rootNodes, size_t* numRootNodes) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  std::lock_guard lock(graph->mutex());
  std::vector<const GraphNode*> roots;
  for (const Ref<GraphNode>& node : graph->nodes()) {
    if (node->dependencies().empty()) roots.push_back(node.get());
  }
  return ListNodes(roots, rootNodes, numRootNodes);
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, size_t* numEdges) {
  return GetEdges(hGraph, from, to, nullptr, false, numEdges);
}
CUresult cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* edgeData, size_t* numEdges) {
  return GetEdges(hGraph, from, to, edgeData, edgeData != nullptr, numEdges);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies,
                                    size_t* numDependencies) {
  return GetDependencies(hNode, dependencies, nullptr, false, numDependencies);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode* dependencies,
                                       CUgraphEdgeData* edgeData, size_t* numDependencies) {
  return GetDependencies(hNode, dependencies, edgeData, edgeData != nullptr, numDependencies);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode* dependentNodes,
                                      size_t* numDependentNodes) {
  return GetDependents(hNode, dependentNodes, nullptr, false, numDependentNodes);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode* dependentNodes,
                                         CUgraphEdgeData* edgeData, size_t* numDependentNodes) {
  return GetDependents(hNode, dependentNodes, edgeData, edgeData != nullptr, numDependentNodes);
}
CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, nullptr, numDependencies, true);
}
CUresult cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edgeData, size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, edgeData, numDependencies, true);
}
CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, nullptr, numDependencies, false);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode* from,
                                      const CUgraphNode* to, const CUgraphEdgeData* edgeData,
                                      size_t numDependencies) {
  return ChangeEdges(hGraph, from, to, edgeData, numDependencies, false);
}

CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char* path, unsigned int) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return CUDA_ERROR_OPERATING_SYSTEM;
  std::fputs("digraph graph_1 {\n", file);
  std::lock_guard lock(graph->mutex());
  for (const Ref<GraphNode>& node : graph->nodes()) {
    const auto serial = static_cast<unsigned long long>(node->serial());
    std::fprintf(file, "  node_%llu [label=\"type %d\"];\n", serial, node->work()->type());
    for (const GraphNode::Edge& edge : node->dependencies()) {
      std::fprintf(file, "  node_%llu -> node_%llu;\n",
                   static_cast<unsigned long long>(edge.from->serial()), serial);
    }
  }
  std::fputs("}\n", file);
  return std::fclose(file) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

}  // namespace culprit::fakedriver::handlers
