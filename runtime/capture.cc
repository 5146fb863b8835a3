// SPDX-License-Identifier: Apache-2.0
//
// What a stream's capture has become, and how the graph's nodes hang together. Nodes, edges and
// their data are the driver's.
#include "runtime/runtime.h"

using namespace culprit::runtime;

namespace {

static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData));

const CUgraphEdgeData* Edges(const cudaGraphEdgeData* data) {
  return reinterpret_cast<const CUgraphEdgeData*>(data);
}

CUgraphEdgeData* Edges(cudaGraphEdgeData* data) { return reinterpret_cast<CUgraphEdgeData*>(data); }

}  // namespace

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* data, size_t count,
                                          cudaStreamCaptureMode mode) {
  return InContext([&] {
    return cuStreamBeginCaptureToGraph(stream, graph, dependencies, Edges(data), count,
                                       static_cast<CUstreamCaptureMode>(mode));
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** data, size_t* count) {
  return InContext([&] {
    return cuStreamGetCaptureInfo_v3(stream, reinterpret_cast<CUstreamCaptureStatus*>(status),
                                     reinterpret_cast<cuuint64_t*>(id), graph, dependencies,
                                     reinterpret_cast<const CUgraphEdgeData**>(data), count);
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* data, size_t count,
                                                unsigned flags) {
  return InContext([&] {
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, Edges(data), count, flags);
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return InContext([&] { return cuGraphCreate(graph, flags); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return InContext([&] { return cuGraphGetRootNodes(graph, nodes, count); });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return InContext([&] { return cuGraphGetEdges_v2(graph, from, to, Edges(data), count); });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, size_t* count) {
  return InContext(
      [&] { return cuGraphNodeGetDependencies_v2(node, dependencies, Edges(data), count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, size_t* count) {
  return InContext(
      [&] { return cuGraphNodeGetDependentNodes_v2(node, dependents, Edges(data), count); });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return InContext(
      [&] { return cuGraphNodeGetType(node, reinterpret_cast<CUgraphNodeType*>(type)); });
}
