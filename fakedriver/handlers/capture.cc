// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/capture.h"

#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/graph_object.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUstreamCaptureStatus StatusOf(const std::shared_ptr<Capture>& capture) {
  if (capture == nullptr) return CU_STREAM_CAPTURE_STATUS_NONE;
  return capture->spoiled() ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                            : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult Begin(CUstream hStream, CUstreamCaptureMode mode) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  return Capture::Begin(*stream, mode, nullptr, {});
}

// The frontier is handed out as an array that stays valid until the thread asks again.
const CUgraphNode* HandlesOf(const Capture::Frontier& nodes) {
  static thread_local std::vector<CUgraphNode> handles;
  handles.clear();
  for (const Ref<GraphNode>& node : nodes)
    handles.push_back(reinterpret_cast<CUgraphNode>(node->handle()));
  return handles.data();
}

const CUgraphEdgeData* EdgesOf(size_t count) {
  static thread_local std::vector<CUgraphEdgeData> edges;
  edges.assign(count, CUgraphEdgeData{});
  return edges.data();
}

struct CaptureInfoOut {
  CUstreamCaptureStatus* status;
  cuuint64_t* id;
  CUgraph* graph = nullptr;
  const CUgraphNode** dependencies = nullptr;
  const CUgraphEdgeData** edges = nullptr;
  size_t* count = nullptr;
};

CUresult GetInfo(CUstream hStream, const CaptureInfoOut& out) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (out.status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::shared_ptr<Capture> capture = Capture::Of(*stream);
  *out.status = StatusOf(capture);
  if (*out.status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return CUDA_SUCCESS;
  if (out.id != nullptr) *out.id = capture->id();
  if (out.graph != nullptr) {
    *out.graph = reinterpret_cast<CUgraph>(capture->graph().handle());
  }
  const Capture::Frontier nodes = capture->At(*stream);
  if (out.dependencies != nullptr) *out.dependencies = HandlesOf(nodes);
  if (out.edges != nullptr) *out.edges = EdgesOf(nodes.size());
  if (out.count != nullptr) *out.count = nodes.size();
  return CUDA_SUCCESS;
}

CUresult UpdateDependencies(CUstream hStream, CUgraphNode* dependencies, size_t count,
                            unsigned flags) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return CUDA_ERROR_INVALID_VALUE;
  const std::shared_ptr<Capture> capture = Capture::Of(*stream);
  if (capture == nullptr || capture->spoiled()) return CUDA_ERROR_ILLEGAL_STATE;
  Capture::Frontier nodes;
  if (CUresult result = NeedNodes(capture->graph(), dependencies, count, &nodes)) return result;
  return capture->Join(*stream, nodes, flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

}  // namespace

CUresult cuStreamBeginCapture(CUstream hStream) {
  return Begin(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
  return Begin(hStream, mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData*,
                                     size_t numDependencies, CUstreamCaptureMode mode) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  Capture::Frontier nodes;
  if (CUresult result = NeedNodes(*graph, dependencies, numDependencies, &nodes)) return result;
  return Capture::Begin(*stream, mode, graph, nodes);
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (phGraph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<Graph> graph;
  const CUresult result = Capture::End(*stream, &graph);
  // As recorded, and as the documentation of the invalidated case says: a failed end gives a null
  // graph.
  *phGraph = graph ? reinterpret_cast<CUgraph>(graph->handle()) : nullptr;
  return result;
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  if (captureStatus == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *captureStatus = StatusOf(Capture::Of(*stream));
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out,
                                cuuint64_t* id_out) {
  return GetInfo(hStream, {.status = captureStatus_out, .id = id_out});
}

CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus* captureStatus_out,
                                   cuuint64_t* id_out, CUgraph* graph_out,
                                   const CUgraphNode** dependencies_out,
                                   size_t* numDependencies_out) {
  return GetInfo(hStream, {captureStatus_out, id_out, graph_out, dependencies_out, nullptr,
                           numDependencies_out});
}

CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus* captureStatus_out,
                                   cuuint64_t* id_out, CUgraph* graph_out,
                                   const CUgraphNode** dependencies_out,
                                   const CUgraphEdgeData** edgeData_out,
                                   size_t* numDependencies_out) {
  return GetInfo(hStream, {captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
                           numDependencies_out});
}

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode* dependencies,
                                           size_t numDependencies, unsigned int flags) {
  return UpdateDependencies(hStream, dependencies, numDependencies, flags);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode* dependencies,
                                              const CUgraphEdgeData*, size_t numDependencies,
                                              unsigned int flags) {
  return UpdateDependencies(hStream, dependencies, numDependencies, flags);
}

// As recorded, a value that is no mode is taken without complaint.
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = ExchangeThreadCaptureMode(*mode);
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
