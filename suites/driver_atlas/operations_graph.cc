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
    CUDA_MEMSET_NODE_PARAMS parameters{};
    parameters.dst = call.In<CUdeviceptr>(2);
    parameters.elementSize = 1;
    parameters.value = 0x5a;
    parameters.width = call.In<size_t>(3);
    parameters.height = 1;
    return ATLAS_DRIVER(cuGraphAddMemsetNode)(call.Out<CUgraphNode>(0), call.In<CUgraph>(1),
                                              nullptr, 0, &parameters, call.In<CUcontext>(4));
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
