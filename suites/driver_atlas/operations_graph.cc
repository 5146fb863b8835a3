// SPDX-License-Identifier: Apache-2.0
// Graphs, capture and user objects.
#include <atomic>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {
namespace {

std::atomic<int> g_destructors{0};
void CUDA_CB CountDestructor(void*) { ++g_destructors; }
void CUDA_CB Nothing(void*) {}

CUDA_MEMSET_NODE_PARAMS SetOfBytes(CUdeviceptr destination, size_t bytes) {
  CUDA_MEMSET_NODE_PARAMS parameters{};
  parameters.dst = destination;
  parameters.elementSize = 1;
  parameters.value = 0x5a;
  parameters.width = bytes;
  parameters.height = 1;
  return parameters;
}

}  // namespace

void AddGraphOperations(std::vector<Operation>* out) {
  ATLAS_BIND(cuGraphCreate, "G+ i");
  ATLAS_BIND(cuGraphDestroy, "G!");
  ATLAS_BIND(cuGraphClone, "G+ G");
  ATLAS_BIND(cuGraphExecDestroy, "X!");
  ATLAS_BIND(cuGraphLaunch, "X S");
  ATLAS_BIND(cuGraphUpload, "X S");
  ATLAS_OPERATION("instantiate", "X+ G i", {
    auto entry = reinterpret_cast<CUresult (*)(CUgraphExec*, CUgraph, unsigned long long)>(
        DriverSymbol("cuGraphInstantiateWithFlags"));
    return entry(call.Out<CUgraphExec>(0), call.In<CUgraph>(1), call.Value(2));
  });
  ATLAS_OPERATION("empty_node", "N+ G", {
    return ATLAS_DRIVER(cuGraphAddEmptyNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1), nullptr,
                                             0);
  });
  ATLAS_OPERATION("empty_node_after", "N+ G N", {
    CUgraphNode before = call.In<CUgraphNode>(2);
    return ATLAS_DRIVER(cuGraphAddEmptyNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1), &before,
                                             1);
  });
  ATLAS_OPERATION("host_node", "N+ G", {
    CUDA_HOST_NODE_PARAMS parameters{};
    parameters.fn = &Nothing;
    return ATLAS_DRIVER(cuGraphAddHostNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1), nullptr,
                                            0, &parameters);
  });
  ATLAS_OPERATION("memset_node", "N+ G P i C", {
    const CUDA_MEMSET_NODE_PARAMS parameters =
        SetOfBytes(call.In<CUdeviceptr>(2), call.In<size_t>(3));
    return ATLAS_DRIVER(cuGraphAddMemsetNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1),
                                              nullptr, 0, &parameters, call.In<CUcontext>(4));
  });
  // Behind one node, or "nil" for none.
  ATLAS_OPERATION("memset_node_after", "N+ G P i N", {
    const CUDA_MEMSET_NODE_PARAMS parameters =
        SetOfBytes(call.In<CUdeviceptr>(2), call.In<size_t>(3));
    CUgraphNode before = call.In<CUgraphNode>(4);
    return ATLAS_DRIVER(cuGraphAddMemsetNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1),
                                              &before, before == nullptr ? 0 : 1, &parameters,
                                              nullptr);
  });
  // On device i, of so many bytes.
  ATLAS_OPERATION("alloc_node", "N+ P+ G i i", {
    CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
    parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    parameters.poolProps.location.id = call.In<int>(3);
    parameters.bytesize = call.In<size_t>(4);
    const CUresult result = ATLAS_DRIVER(cuGraphAddMemAllocNode)(
        call.Out<CUgraphNode>(0), call.In<CUgraph>(2), nullptr, 0, &parameters);
    if (CUdeviceptr* at = call.Out<CUdeviceptr>(1); at != nullptr && parameters.dptr != 0)
      *at = parameters.dptr;
    return result;
  });
  ATLAS_OPERATION("free_node", "N+ G P N", {
    CUgraphNode before = call.In<CUgraphNode>(3);
    return ATLAS_DRIVER(cuGraphAddMemFreeNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1),
                                               &before, before == nullptr ? 0 : 1,
                                               call.In<CUdeviceptr>(2));
  });
  ATLAS_OPERATION("child_node", "N+ G G", {
    return ATLAS_DRIVER(cuGraphAddChildGraphNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1),
                                                  nullptr, 0, call.In<CUgraph>(2));
  });
  // The child becomes the parent's.
  ATLAS_OPERATION("moved_child_node", "N+ G G", {
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_GRAPH;
    parameters.graph.graph = call.In<CUgraph>(2);
    parameters.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    auto entry = reinterpret_cast<CUresult (*)(CUgraphNode*, CUgraph, const CUgraphNode*,
                                               const CUgraphEdgeData*, size_t, CUgraphNodeParams*)>(
        DriverSymbol("cuGraphAddNode_v2"));
    return entry(call.Out<CUgraphNode>(0), call.In<CUgraph>(1), nullptr, nullptr, 0, &parameters);
  });
  ATLAS_OPERATION("remove_edge", "G N N", {
    auto entry = reinterpret_cast<CUresult (*)(CUgraph, const CUgraphNode*, const CUgraphNode*,
                                               const CUgraphEdgeData*, size_t)>(
        DriverSymbol("cuGraphRemoveDependencies_v2"));
    CUgraphNode from = call.In<CUgraphNode>(1);
    CUgraphNode to = call.In<CUgraphNode>(2);
    return entry(call.In<CUgraph>(0), &from, &to, nullptr, 1);
  });
  ATLAS_OPERATION("update", "X G", {
    auto entry = reinterpret_cast<CUresult (*)(CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo*)>(
        DriverSymbol("cuGraphExecUpdate_v2"));
    CUgraphExecUpdateResultInfo info{};
    const CUresult result = entry(call.In<CUgraphExec>(0), call.In<CUgraph>(1), &info);
    call.extra = "result=" + std::to_string(info.result);
    return result;
  });
  ATLAS_BIND(cuDeviceGraphMemTrim, "D");
  ATLAS_OPERATION("graph_memory", "D i", {
    cuuint64_t value = Call::kPoison;
    const CUresult result = ATLAS_DRIVER(cuDeviceGetGraphMemAttribute)(
        call.In<CUdevice>(0), call.In<CUgraphMem_attribute>(1), &value);
    if (value != Call::kPoison) call.extra = "value=" + std::to_string(value);
    return result;
  });
  ATLAS_OPERATION("set_graph_memory", "D i i", {
    cuuint64_t value = call.Value(2);
    return ATLAS_DRIVER(cuDeviceSetGraphMemAttribute)(call.In<CUdevice>(0),
                                                      call.In<CUgraphMem_attribute>(1), &value);
  });
  ATLAS_OPERATION("node_count", "G", {
    size_t count = 0;
    const CUresult result = ATLAS_DRIVER(cuGraphGetNodes)(call.In<CUgraph>(0), nullptr, &count);
    if (result == CUDA_SUCCESS) call.extra = "nodes=" + std::to_string(count);
    return result;
  });
  ATLAS_BIND(cuGraphNodeGetType, "N i*");
  ATLAS_BIND(cuGraphDestroyNode, "N!");
  ATLAS_BIND(cuStreamBeginCapture, "S i");
  ATLAS_BIND(cuStreamEndCapture, "S G+");
  ATLAS_BIND(cuThreadExchangeStreamCaptureMode, "i*");
  ATLAS_OPERATION("user_object", "U+ i", {
    return ATLAS_DRIVER(cuUserObjectCreate)(call.Out<CUuserObject>(0), nullptr, &CountDestructor,
                                            call.In<unsigned>(1),
                                            CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
  });
  ATLAS_BIND(cuUserObjectRetain, "U i");
  ATLAS_BIND(cuUserObjectRelease, "U i");
  ATLAS_BIND(cuGraphRetainUserObject, "G U i i");
  ATLAS_BIND(cuGraphReleaseUserObject, "G U i");
  ATLAS_OPERATION("destructors", "", {
    call.extra = "run=" + std::to_string(g_destructors.load());
    return CUDA_SUCCESS;
  });
}

}  // namespace culprit::atlas
