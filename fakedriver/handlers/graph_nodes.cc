// SPDX-License-Identifier: Apache-2.0
//
// Adding nodes and reading and changing what they do. The entries of each type are the general one
// with its part of the parameters filled in.
#include <cstring>

#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph.h"
#include "fakedriver/core/graph_memory.h"
#include "fakedriver/handlers/graph_difference.h"
#include "fakedriver/handlers/graph_memory_nodes.h"
#include "fakedriver/handlers/graph_object.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

struct Place {
  CUgraphNode* out;
  CUgraph graph;
  const CUgraphNode* dependencies;
  size_t count;
  const CUgraphEdgeData* edges = nullptr;
};

CUgraphNodeParams ParamsOf(CUgraphNodeType type) {
  CUgraphNodeParams params{};
  params.type = type;
  return params;
}

// The older kernel parameters are a prefix of the newest.
template <typename Params>
CUgraphNodeParams Kernel(const Params& from) {
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_KERNEL);
  params.kernel.func = from.func;
  params.kernel.gridDimX = from.gridDimX;
  params.kernel.gridDimY = from.gridDimY;
  params.kernel.gridDimZ = from.gridDimZ;
  params.kernel.blockDimX = from.blockDimX;
  params.kernel.blockDimY = from.blockDimY;
  params.kernel.blockDimZ = from.blockDimZ;
  params.kernel.sharedMemBytes = from.sharedMemBytes;
  params.kernel.kernelParams = from.kernelParams;
  params.kernel.extra = from.extra;
  if constexpr (requires { from.kern; }) {
    params.kernel.kern = from.kern;
    params.kernel.ctx = from.ctx;
  }
  return params;
}

CUgraphNodeParams Memcpy(const CUDA_MEMCPY3D& copy, CUcontext ctx) {
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_MEMCPY);
  params.memcpy.copyParams = copy;
  params.memcpy.copyCtx = ctx;
  return params;
}

CUgraphNodeParams Memset(const CUDA_MEMSET_NODE_PARAMS& set, CUcontext ctx) {
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_MEMSET);
  params.memset.dst = set.dst;
  params.memset.pitch = set.pitch;
  params.memset.value = set.value;
  params.memset.elementSize = set.elementSize;
  params.memset.width = set.width;
  params.memset.height = set.height;
  params.memset.ctx = ctx;
  return params;
}

CUgraphNodeParams Host(const CUDA_HOST_NODE_PARAMS& host) {
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_HOST);
  params.host.fn = host.fn;
  params.host.userData = host.userData;
  return params;
}

CUgraphNodeParams Values(const CUDA_BATCH_MEM_OP_NODE_PARAMS& values) {
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  params.memOp.ctx = values.ctx;
  params.memOp.count = values.count;
  params.memOp.paramArray = values.paramArray;
  params.memOp.flags = values.flags;
  return params;
}

CUgraphNodeParams Child(CUgraph graph) {
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_GRAPH);
  params.graph.graph = graph;
  return params;
}

CUgraphNodeParams EventNode(CUgraphNodeType type, CUevent event) {
  CUgraphNodeParams params = ParamsOf(type);
  (type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? params.eventRecord.event : params.eventWait.event) =
      event;
  return params;
}

bool MovesGraph(const CUgraphNodeParams& params) {
  return params.type == CU_GRAPH_NODE_TYPE_GRAPH &&
         params.graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
}

// What making the work changes stays changed, so the node must find its place afterwards.
CUresult CheckPlace(const Place& place, const Graph& graph) {
  if (place.out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Ref<GraphNode>> nodes;
  return NeedNodes(graph, place.dependencies, place.count, &nodes);
}

// No graph comes to be inside itself. The results are guessed.
CUresult CheckMove(const CUgraphNodeParams& params, const Graph& parent) {
  if (params.graph.graph == nullptr) return CUDA_SUCCESS;
  Ref<Graph> child;
  if (CUresult result = Need<Graph>(params.graph.graph, "childGraph", &child)) return result;
  if (child.get() == &parent || HasInside(*child, parent)) return CUDA_ERROR_INVALID_VALUE;
  // As for memory nodes themselves.
  const bool gets_memory = parent.embedded() && !child->embedded() && HasMemoryNodes(*child);
  return gets_memory ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

// Writes the address of what an allocation node allocates.
CUresult Make(const Place& place, Graph& graph, CUgraphNodeParams* params, Work* work) {
  switch (params->type) {
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      if (CUresult result = CheckPlace(place, graph)) return result;
      return MakeAllocation(graph, &params->alloc, work);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      if (CUresult result = CheckPlace(place, graph)) return result;
      return MakeFree(graph, params->free.dptr, work);
    default:
      break;
  }
  if (MovesGraph(*params)) {
    if (CUresult result = CheckPlace(place, graph)) return result;
    if (CUresult result = CheckMove(*params, graph)) return result;
  }
  return MakeWork(*params, work);
}

CUresult Add(const Place& place, CUgraphNodeParams* params) {
  Ref<Graph> graph;
  if (CUresult result = NeedGraph(place.graph, "hGraph", &graph)) return result;
  Work work;
  if (CUresult result = Make(place, *graph, params, &work)) return result;
  const CUresult result =
      AddNode(place.graph, place.dependencies, place.edges, place.count, work, place.out);
  if (result != CUDA_SUCCESS && !MovesGraph(*params)) EndChildOf(*work);
  return result;
}

CUresult Add(const Place& place, CUgraphNodeParams&& params) { return Add(place, &params); }

// A child graph with memory nodes stays (guessed): its memory is the graph's.
bool Fits(const NodeWork& work, const CUgraphNodeParams& params) {
  return work.type() == params.type && !HasMemory(work);
}

CUresult Change(CUgraphNode hNode, const CUgraphNodeParams& params) {
  if (MovesGraph(params)) return CUDA_ERROR_INVALID_VALUE;
  Ref<GraphNode> node;
  if (CUresult result = NeedNode(hNode, "hNode", &node)) return result;
  Work work;
  if (CUresult result = MakeWork(params, &work)) return result;
  bool fits = false;
  {
    std::lock_guard lock(node->graph().mutex());
    fits = Fits(*node->work(), params);
    if (fits) work = node->exchange_work(std::move(work));
  }
  EndChildOf(*work);  // of what the node had, or will not get
  return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult ChangeExec(CUgraphExec hExec, CUgraphNode hNode, const CUgraphNodeParams& params) {
  if (MovesGraph(params)) return CUDA_ERROR_INVALID_VALUE;
  Ref<GraphExec> exec;
  if (CUresult result = NeedExec(hExec, "hGraphExec", &exec)) return result;
  Work work;
  if (CUresult result = MakeWork(params, &work)) return result;
  const Work for_exec = work->ForExec(work);
  EndChildOf(*work);  // no node has it
  if (for_exec == nullptr) return CUDA_ERROR_INVALID_VALUE;
  bool fits = false;
  const bool found =
      exec->ChangeStep(reinterpret_cast<uint64_t>(hNode), [&](GraphExec::Step& step) {
        fits = Fits(*step.work, params) && SameChildGraph(*step.work, *for_exec);
        if (fits) step.work = for_exec;
        return fits;
      });
  return found && fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

template <typename Out, typename Read>
CUresult Get(CUgraphNode hNode, CUgraphNodeType type, Out* out, Read read) {
  Ref<GraphNode> node;
  if (CUresult result = NeedNode(hNode, "hNode", &node)) return result;
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(node->graph().mutex());
  if (node->work()->type() != type) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = ParamsOf(type);
  node->work()->Describe(&params);
  *out = read(params);
  return CUDA_SUCCESS;
}

template <typename Params>
Params KernelParams(const CUgraphNodeParams& from) {
  Params params{};
  params.func = from.kernel.func;
  params.gridDimX = from.kernel.gridDimX;
  params.gridDimY = from.kernel.gridDimY;
  params.gridDimZ = from.kernel.gridDimZ;
  params.blockDimX = from.kernel.blockDimX;
  params.blockDimY = from.kernel.blockDimY;
  params.blockDimZ = from.kernel.blockDimZ;
  params.sharedMemBytes = from.kernel.sharedMemBytes;
  params.kernelParams = from.kernel.kernelParams;
  if constexpr (requires { params.ctx; }) params.ctx = from.kernel.ctx;
  return params;
}

}  // namespace

CUresult cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                        size_t numDependencies, CUgraphNodeParams* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return Add({phGraphNode, hGraph, dependencies, numDependencies}, nodeParams);
}
CUresult cuGraphAddNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph,
                           const CUgraphNode* dependencies, const CUgraphEdgeData* dependencyData,
                           size_t numDependencies, CUgraphNodeParams* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return Add({phGraphNode, hGraph, dependencies, numDependencies, dependencyData}, nodeParams);
}
CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  return nodeParams == nullptr ? CUDA_ERROR_INVALID_VALUE : Change(hNode, *nodeParams);
}
CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                  CUgraphNodeParams* nodeParams) {
  return nodeParams == nullptr ? CUDA_ERROR_INVALID_VALUE
                               : ChangeExec(hGraphExec, hNode, *nodeParams);
}

CUresult cuGraphAddEmptyNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                             const CUgraphNode* dependencies, size_t numDependencies) {
  return Add({phGraphNode, hGraph, dependencies, numDependencies},
             ParamsOf(CU_GRAPH_NODE_TYPE_EMPTY));
}

// Each typed entry checks its own parameter pointer and fills in the general parameters.
#define ADD_NODE(entry, params_type, make)                                                  \
  CUresult entry(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, \
                 size_t numDependencies, const params_type* nodeParams) {                   \
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;                             \
    return Add({phGraphNode, hGraph, dependencies, numDependencies}, make(*nodeParams));    \
  }
ADD_NODE(cuGraphAddKernelNode, CUDA_KERNEL_NODE_PARAMS_v1, Kernel)
ADD_NODE(cuGraphAddKernelNode_v2, CUDA_KERNEL_NODE_PARAMS, Kernel)
ADD_NODE(cuGraphAddHostNode, CUDA_HOST_NODE_PARAMS, Host)
ADD_NODE(cuGraphAddBatchMemOpNode, CUDA_BATCH_MEM_OP_NODE_PARAMS, Values)
#undef ADD_NODE

#define SET_NODE(entry, params_type, make)                           \
  CUresult entry(CUgraphNode hNode, const params_type* nodeParams) { \
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;      \
    return Change(hNode, make(*nodeParams));                         \
  }
SET_NODE(cuGraphKernelNodeSetParams, CUDA_KERNEL_NODE_PARAMS_v1, Kernel)
SET_NODE(cuGraphKernelNodeSetParams_v2, CUDA_KERNEL_NODE_PARAMS, Kernel)
SET_NODE(cuGraphHostNodeSetParams, CUDA_HOST_NODE_PARAMS, Host)
SET_NODE(cuGraphBatchMemOpNodeSetParams, CUDA_BATCH_MEM_OP_NODE_PARAMS, Values)
#undef SET_NODE

#define SET_EXEC_NODE(entry, params_type, make)                                              \
  CUresult entry(CUgraphExec hGraphExec, CUgraphNode hNode, const params_type* nodeParams) { \
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;                              \
    return ChangeExec(hGraphExec, hNode, make(*nodeParams));                                 \
  }
SET_EXEC_NODE(cuGraphExecKernelNodeSetParams, CUDA_KERNEL_NODE_PARAMS_v1, Kernel)
SET_EXEC_NODE(cuGraphExecKernelNodeSetParams_v2, CUDA_KERNEL_NODE_PARAMS, Kernel)
SET_EXEC_NODE(cuGraphExecHostNodeSetParams, CUDA_HOST_NODE_PARAMS, Host)
SET_EXEC_NODE(cuGraphExecBatchMemOpNodeSetParams, CUDA_BATCH_MEM_OP_NODE_PARAMS, Values)
#undef SET_EXEC_NODE

CUresult cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                              const CUgraphNode* dependencies, size_t numDependencies,
                              const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  if (copyParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return Add({phGraphNode, hGraph, dependencies, numDependencies}, Memcpy(*copyParams, ctx));
}
CUresult cuGraphAddMemsetNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                              const CUgraphNode* dependencies, size_t numDependencies,
                              const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx) {
  if (memsetParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return Add({phGraphNode, hGraph, dependencies, numDependencies}, Memset(*memsetParams, ctx));
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                  const CUgraphNode* dependencies, size_t numDependencies,
                                  CUgraph childGraph) {
  return Add({phGraphNode, hGraph, dependencies, numDependencies}, Child(childGraph));
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                   const CUgraphNode* dependencies, size_t numDependencies,
                                   CUevent event) {
  return Add({phGraphNode, hGraph, dependencies, numDependencies},
             EventNode(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                 const CUgraphNode* dependencies, size_t numDependencies,
                                 CUevent event) {
  return Add({phGraphNode, hGraph, dependencies, numDependencies},
             EventNode(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                const CUgraphNode* dependencies, size_t numDependencies,
                                CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
  if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  static_assert(sizeof *nodeParams == sizeof params.alloc);
  std::memcpy(&params.alloc, nodeParams, sizeof params.alloc);
  const CUresult result = Add({phGraphNode, hGraph, dependencies, numDependencies}, &params);
  if (result == CUDA_SUCCESS) nodeParams->dptr = params.alloc.dptr;
  return result;
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                               const CUgraphNode* dependencies, size_t numDependencies,
                               CUdeviceptr dptr) {
  CUgraphNodeParams params = ParamsOf(CU_GRAPH_NODE_TYPE_MEM_FREE);
  params.free.dptr = dptr;
  return Add({phGraphNode, hGraph, dependencies, numDependencies}, &params);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams) {
  return nodeParams == nullptr ? CUDA_ERROR_INVALID_VALUE
                               : Change(hNode, Memcpy(*nodeParams, nullptr));
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  return nodeParams == nullptr ? CUDA_ERROR_INVALID_VALUE
                               : Change(hNode, Memset(*nodeParams, nullptr));
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return Change(hNode, EventNode(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return Change(hNode, EventNode(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  return copyParams == nullptr ? CUDA_ERROR_INVALID_VALUE
                               : ChangeExec(hGraphExec, hNode, Memcpy(*copyParams, ctx));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMSET_NODE_PARAMS* memsetParams,
                                        CUcontext ctx) {
  return memsetParams == nullptr ? CUDA_ERROR_INVALID_VALUE
                                 : ChangeExec(hGraphExec, hNode, Memset(*memsetParams, ctx));
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            CUgraph childGraph) {
  return ChangeExec(hGraphExec, hNode, Child(childGraph));
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            CUevent event) {
  return ChangeExec(hGraphExec, hNode, EventNode(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          CUevent event) {
  return ChangeExec(hGraphExec, hNode, EventNode(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_KERNEL, nodeParams,
             KernelParams<CUDA_KERNEL_NODE_PARAMS_v1>);
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_KERNEL, nodeParams, KernelParams<CUDA_KERNEL_NODE_PARAMS>);
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, nodeParams,
             [](const CUgraphNodeParams& params) { return params.memcpy.copyParams; });
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_MEMSET, nodeParams, [](const CUgraphNodeParams& params) {
    return CUDA_MEMSET_NODE_PARAMS{params.memset.dst,   params.memset.pitch,
                                   params.memset.value, params.memset.elementSize,
                                   params.memset.width, params.memset.height};
  });
}
CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_HOST, nodeParams, [](const CUgraphNodeParams& params) {
    return CUDA_HOST_NODE_PARAMS{params.host.fn, params.host.userData};
  });
}
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
                                        CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, nodeParams_out,
             [](const CUgraphNodeParams& params) {
               return CUDA_BATCH_MEM_OP_NODE_PARAMS{params.memOp.ctx, params.memOp.count,
                                                    params.memOp.paramArray, params.memOp.flags};
             });
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS* params_out) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC, params_out, [](const CUgraphNodeParams& params) {
    return CUDA_MEM_ALLOC_NODE_PARAMS{params.alloc.poolProps, params.alloc.accessDescs,
                                      params.alloc.accessDescCount, params.alloc.bytesize,
                                      params.alloc.dptr};
  });
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr* dptr_out) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_MEM_FREE, dptr_out,
             [](const CUgraphNodeParams& params) { return params.free.dptr; });
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph* phGraph) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_GRAPH, phGraph,
             [](const CUgraphNodeParams& params) { return params.graph.graph; });
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event_out,
             [](const CUgraphNodeParams& params) { return params.eventRecord.event; });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  return Get(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event_out,
             [](const CUgraphNodeParams& params) { return params.eventWait.event; });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  Ref<GraphNode> to;
  Ref<GraphNode> from;
  if (CUresult result = NeedNode(dst, "dst", &to)) return result;
  if (CUresult result = NeedNode(src, "src", &from)) return result;
  std::map<int, CUlaunchAttributeValue> attributes;
  {
    std::lock_guard lock(from->graph().mutex());
    attributes = from->attributes();
  }
  std::lock_guard lock(to->graph().mutex());
  to->attributes() = std::move(attributes);
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                       CUkernelNodeAttrValue* value_out) {
  Ref<GraphNode> node;
  if (CUresult result = NeedNode(hNode, "hNode", &node)) return result;
  if (value_out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(node->graph().mutex());
  if (node->work()->type() != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  *value_out = node->attributes()[attr];
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue* value) {
  Ref<GraphNode> node;
  if (CUresult result = NeedNode(hNode, "hNode", &node)) return result;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(node->graph().mutex());
  if (node->work()->type() != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  node->attributes()[attr] = *value;
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
