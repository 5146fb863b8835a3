// SPDX-License-Identifier: Apache-2.0
//
// Executable graphs: made from a graph, changed in place, launched.
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph.h"
#include "fakedriver/handlers/graph_difference.h"
#include "fakedriver/handlers/graph_launch.h"
#include "fakedriver/handlers/graph_object.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr cuuint64_t kInstantiateFlags =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

CUresult Instantiate(CUgraphExec* out, CUgraph hGraph, cuuint64_t flags) {
  // As measured, the context is looked at before the graph.
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context)) return result;
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  if (out == nullptr || (flags & ~kInstantiateFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  // CUDA driver API, CUgraphInstantiate_flags: the two exclude each other.
  constexpr cuuint64_t kExclusive =
      CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
  if (graph->moved() || (flags & kExclusive) == kExclusive) return CUDA_ERROR_INVALID_VALUE;
  std::optional<GraphExec::Plan> plan = PlanOf(*graph);
  if (!plan) return CUDA_ERROR_INVALID_VALUE;  // it has a cycle
  bool has_memory = false;
  {
    std::lock_guard lock(graph->mutex());
    has_memory = graph->HasMemoryNodes();
    if (has_memory && graph->instance() && graph->instance()->alive()) return kNotWithMemoryNodes;
    // Guessed.
    if (!graph->FreesAfterAllocating()) return CUDA_ERROR_INVALID_VALUE;
  }
  const Ref<GraphExec> exec = Make<GraphExec>(*context, flags, *std::move(plan));
  if (has_memory) {
    std::lock_guard lock(graph->mutex());
    graph->set_instance(exec);
  }
  *out = reinterpret_cast<CUgraphExec>(Register(exec));
  return CUDA_SUCCESS;
}

// The steps keep the handles of the nodes they were made from: those still name them in later
// calls.
CUresult Update(CUgraphExec hExec, CUgraph hGraph, CUgraphExecUpdateResultInfo* info) {
  *info = {};
  info->result = CU_GRAPH_EXEC_UPDATE_ERROR;
  Ref<GraphExec> exec;
  if (CUresult result = NeedExec(hExec, "hGraphExec", &exec)) return result;
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(hGraph, "hGraph", &graph)) return result;
  if (graph->moved()) return CUDA_ERROR_INVALID_VALUE;
  std::optional<GraphExec::Plan> wanted = PlanOf(*graph);
  if (!wanted) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  const std::shared_ptr<const GraphExec::Plan> current = exec->plan();
  if (const GraphDifference difference = Compare(*current, *wanted);
      difference.result != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
    info->result = difference.result;
    if (difference.step != nullptr)
      info->errorNode = reinterpret_cast<CUgraphNode>(difference.step->node);
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }
  for (size_t i = 0; i < wanted->steps.size(); ++i) {
    GraphExec::Step& step = wanted->steps[i];
    const GraphExec::Step& now = current->steps[i];
    step.node = now.node;
    step.enabled = now.enabled;
  }
  exec->Replace(*std::move(wanted));
  info->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  return CUDA_SUCCESS;
}

bool CanBeDisabled(CUgraphNodeType type) {
  return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
         type == CU_GRAPH_NODE_TYPE_MEMSET;
}

}  // namespace

CUresult cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph,
                                     unsigned long long flags) {
  return Instantiate(phGraphExec, hGraph, flags);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  if (instantiateParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = Instantiate(phGraphExec, hGraph, instantiateParams->flags);
  instantiateParams->hErrNode_out = nullptr;
  instantiateParams->result_out =
      result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}

CUresult cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode,
                            char* logBuffer, size_t bufferSize) {
  if (phErrorNode != nullptr) *phErrorNode = nullptr;
  if (logBuffer != nullptr && bufferSize > 0) logBuffer[0] = '\0';
  return Instantiate(phGraphExec, hGraph, 0);
}

CUresult cuGraphInstantiate_v2(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode,
                               char* logBuffer, size_t bufferSize) {
  if (phErrorNode != nullptr) *phErrorNode = nullptr;
  if (logBuffer != nullptr && bufferSize > 0) logBuffer[0] = '\0';
  return Instantiate(phGraphExec, hGraph, 0);
}

CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t* flags) {
  Ref<GraphExec> exec;
  if (CUresult result = NeedExec(hGraphExec, "hGraphExec", &exec)) return result;
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = exec->flags();
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  if (hGraphExec == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<GraphExec> exec;
  if (NeedForDestroy(hGraphExec, "hGraphExec", &exec) != CUDA_SUCCESS)
    return CUDA_ERROR_INVALID_VALUE;
  if (!exec) return CUDA_SUCCESS;
  if (!Unregister(exec)) return CUDA_ERROR_INVALID_VALUE;
  exec->DropPlan();
  return CUDA_SUCCESS;
}

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode* hErrorNode_out,
                           CUgraphExecUpdateResult* updateResult_out) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult result = Update(hGraphExec, hGraph, &info);
  if (hErrorNode_out != nullptr) *hErrorNode_out = info.errorNode;
  if (updateResult_out != nullptr) *updateResult_out = info.result;
  return result;
}

CUresult cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph,
                              CUgraphExecUpdateResultInfo* resultInfo) {
  return resultInfo == nullptr ? CUDA_ERROR_INVALID_VALUE : Update(hGraphExec, hGraph, resultInfo);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled) {
  Ref<GraphExec> exec;
  if (CUresult result = NeedExec(hGraphExec, "hGraphExec", &exec)) return result;
  bool allowed = false;
  const bool found =
      exec->ChangeStep(reinterpret_cast<uint64_t>(hNode), [&](GraphExec::Step& step) {
        allowed = CanBeDisabled(step.work->type());
        step.enabled = isEnabled != 0;
        return allowed;
      });
  return found && allowed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int* isEnabled) {
  Ref<GraphExec> exec;
  if (CUresult result = NeedExec(hGraphExec, "hGraphExec", &exec)) return result;
  if (isEnabled == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto plan = exec->plan();
  for (const GraphExec::Step& step : plan->steps) {
    if (step.node != reinterpret_cast<uint64_t>(hNode)) continue;
    if (!CanBeDisabled(step.work->type())) return CUDA_ERROR_INVALID_VALUE;
    *isEnabled = step.enabled ? 1 : 0;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphUpload(CUgraphExec hGraph, CUstream hStream) {
  Ref<GraphExec> exec;
  if (CUresult result = NeedExec(hGraph, "hGraphExec", &exec)) return result;
  Ref<Stream> stream;
  return NeedStream(hStream, "hStream", &stream);
}

CUresult cuGraphLaunch(CUgraphExec hGraph, CUstream hStream) {
  // As measured, the stream, and with a token the context, is looked at before the graph.
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream)) return result;
  Ref<GraphExec> exec;
  if (CUresult result = NeedExec(hGraph, "hGraphExec", &exec)) return result;
  if (stream->capturing()) return RefuseCapturingStream(*stream);
  return Launch(*exec, *stream);
}

}  // namespace culprit::fakedriver::handlers
