// SPDX-License-Identifier: Apache-2.0
//
// Memory nodes: what they give, what graphs that have them refuse, and how long the memory lasts.
#include "fakedriver/handlers/testing/graph_memory_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using testing::GraphMemoryTest;
using testing::GraphMemoryUnderEachPolicy;
using ::testing::IsEmpty;
using testing::kBytes;

class GraphMemoryNodes : public GraphMemoryTest {
 protected:
  GraphMemoryNodes() { Begin(); }
};

TEST_F(GraphMemoryNodes, TellWhatTheyWereMadeWith) {
  CUgraph graph = NewGraph();
  CUDA_MEM_ALLOC_NODE_PARAMS params = Params(kBytes);
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, {0}},
                               CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  params.accessDescs = &access;
  params.accessDescCount = 1;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), CUDA_SUCCESS);
  CUDA_MEM_ALLOC_NODE_PARAMS told{};
  ASSERT_EQ(cu.cuGraphMemAllocNodeGetParams(node, &told), CUDA_SUCCESS);
  EXPECT_EQ(told.dptr, params.dptr);
  EXPECT_EQ(told.bytesize, kBytes);
  ASSERT_EQ(told.accessDescCount, 1u);
  EXPECT_NE(told.accessDescs, &access);
  EXPECT_EQ(told.accessDescs[0].flags, access.flags);

  CUgraphNode free = Free(graph, params.dptr, {node});
  CUdeviceptr freed = 0;
  ASSERT_EQ(cu.cuGraphMemFreeNodeGetParams(free, &freed), CUDA_SUCCESS);
  EXPECT_EQ(freed, params.dptr);
  EXPECT_EQ(cu.cuGraphMemFreeNodeGetParams(node, &freed), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphMemAllocNodeGetParams(free, &told), CUDA_ERROR_INVALID_VALUE);
  CUgraphNodeType type;
  ASSERT_EQ(cu.cuGraphNodeGetType(free, &type), CUDA_SUCCESS);
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEM_FREE);
}

TEST_F(GraphMemoryNodes, AreMadeByTheGeneralEntryToo) {
  CUgraph graph = NewGraph();
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  params.alloc.poolProps = Params(kBytes).poolProps;
  params.alloc.bytesize = kBytes;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &params), CUDA_SUCCESS);
  const CUdeviceptr at = params.alloc.dptr;
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  params.free.dptr = at;
  EXPECT_EQ(cu.cuGraphAddNode_v2(&node, graph, &node, nullptr, 1, &params), CUDA_SUCCESS);
  EXPECT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
}

TEST_F(GraphMemoryNodes, RefuseParametersThatMeanNothing) {
  CUgraph graph = NewGraph();
  CUgraphNode node = nullptr;
  const auto add = [&](auto change) {
    CUDA_MEM_ALLOC_NODE_PARAMS params = Params(kBytes);
    change(params);
    const CUresult result = cu.cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params);
    EXPECT_EQ(params.dptr, 0u);
    return result;
  };
  EXPECT_EQ(add([](auto& params) { params.bytesize = 0; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add([](auto& params) { params.poolProps.location.id = 9; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add([](auto& params) { params.accessDescCount = 1; }), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add([](auto& params) {
              params.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
            }),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cu.cuGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  size_t count = 1;
  EXPECT_EQ(cu.cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 0u);
}

// A node that could not be added frees nothing: the memory can still be freed once.
TEST_F(GraphMemoryNodes, FreeNodeThatWasNotAddedDoesNotCount) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  EXPECT_EQ(cu.cuGraphAddMemFreeNode(nullptr, graph, nullptr, 0, made.at),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(TryFree(graph, made.at, {made.node}), CUDA_SUCCESS);
}

TEST_F(GraphMemoryNodes, GraphCannotBeCopied) {
  CUgraph graph = NewGraph();
  Allocate(graph);
  CUgraph clone = nullptr;
  EXPECT_EQ(cu.cuGraphClone(&clone, graph), CUDA_ERROR_NOT_SUPPORTED);
  CUgraph parent = NewGraph();
  CUgraphNode node = nullptr;
  EXPECT_EQ(cu.cuGraphAddChildGraphNode(&node, parent, nullptr, 0, graph),
            CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(GraphMemoryNodes, NeitherNodesNorEdgesCanBeRemoved) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  CUgraphNode set = Set(graph, made.at, 1, {made.node});
  EXPECT_EQ(cu.cuGraphDestroyNode(set), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cu.cuGraphRemoveDependencies(graph, &made.node, &set, 1), CUDA_ERROR_NOT_SUPPORTED);
  size_t count = 0;
  EXPECT_EQ(cu.cuGraphGetEdges(graph, nullptr, nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1u);
}

TEST_F(GraphMemoryNodes, OneExecutableAtATime) {
  const Leaving leaving = MakeLeaving();
  CUgraphExec second = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&second, leaving.graph, 0), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cu.cuGraphExecDestroy(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&second, leaving.graph, 0), CUDA_SUCCESS);
}

TEST_F(GraphMemoryNodes, FreeMustComeAfterTheAllocation) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  CUgraphNode free = Free(graph, made.at);
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphAddDependencies(graph, &made.node, &free, 1), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
}

TEST_F(GraphMemoryNodes, AutomaticFreeExcludesLaunchesFromTheDevice) {
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, NewGraph(),
                                           CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                               CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphMemoryNodes, UpdateKeepsTheMemoryItHas) {
  const Leaving leaving = MakeLeaving(7);
  CUgraphExecUpdateResultInfo info;
  EXPECT_EQ(cu.cuGraphExecUpdate_v2(leaving.exec, leaving.graph, &info), CUDA_SUCCESS);
  const Leaving other = MakeLeaving(8);
  EXPECT_EQ(cu.cuGraphExecUpdate_v2(leaving.exec, other.graph, &info),
            CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED);
}

TEST_F(GraphMemoryNodes, MovedChildGraphMayHaveThem) {
  CUgraph child = NewGraph();
  const Made made = Allocate(child);
  Set(child, made.at, 9, {made.node});
  CUgraph parent = NewGraph();
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph = {child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE};
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddNode_v2(&node, parent, nullptr, nullptr, 0, &params), CUDA_SUCCESS);
  const CUgraphNode child_node = node;
  CUgraph embedded = nullptr;
  ASSERT_EQ(cu.cuGraphChildGraphNodeGetGraph(node, &embedded), CUDA_SUCCESS);
  EXPECT_EQ(embedded, child);

  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, child, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroy(child), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphAddNode_v2(&node, NewGraph(), nullptr, nullptr, 0, &params),
            CUDA_ERROR_INVALID_VALUE);
  CUDA_MEM_ALLOC_NODE_PARAMS more = Params(kBytes);
  EXPECT_EQ(cu.cuGraphAddMemAllocNode(&node, child, nullptr, 0, &more), CUDA_ERROR_NOT_SUPPORTED);

  exec = Instantiate(parent);
  CUgraphExecUpdateResultInfo info;
  EXPECT_EQ(cu.cuGraphExecUpdate_v2(exec, child, &info), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphExecChildGraphNodeSetParams(exec, child_node, NewGraph()),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(FirstByte(made.at), 9);
  EXPECT_EQ(cu.cuMemFree_v2(made.at), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphDestroy(parent), CUDA_SUCCESS);
}

class GraphMemory : public GraphMemoryUnderEachPolicy {};

TEST_P(GraphMemory, HasOneAddressInEveryLaunch) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  CUgraphNode set = Set(graph, made.at, 5, {made.node});
  CUdeviceptr result = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&result, kBytes), CUDA_SUCCESS);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = made.at;
  copy.dstDevice = result;
  copy.WidthInBytes = kBytes;
  copy.Height = copy.Depth = 1;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddMemcpyNode(&node, graph, &set, 1, &copy, nullptr), CUDA_SUCCESS);
  Free(graph, made.at, {node});
  CUgraphExec exec = Instantiate(graph);
  for (int launch = 0; launch < 3; ++launch) EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(FirstByte(result), 5);
  EXPECT_EQ(cu.cuMemFree_v2(result), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().allocations, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(GraphMemory, LeftBehindLastsUntilItIsFreed) {
  const Leaving leaving = MakeLeaving(7);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemsetD8Async(leaving.at + 1, 8, 1, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphExecDestroy(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphDestroy(leaving.graph), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(FirstByte(leaving.at), 7);
  EXPECT_EQ(FirstByte(leaving.at + 1), 8);
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(GraphMemory, MustBeFreedBeforeTheNextLaunch) {
  const Leaving leaving = MakeLeaving();
  EXPECT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(Launch(leaving.exec), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  EXPECT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_SUCCESS);
  EXPECT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  Synchronize();
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(GraphMemory, IsFreedByTheNextLaunchIfAskedTo) {
  const Leaving leaving = MakeLeaving(7, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  for (int launch = 0; launch < 3; ++launch) {
    EXPECT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD8Async(leaving.at, 8, 1, stream_), CUDA_SUCCESS);
  }
  Synchronize();
  EXPECT_EQ(FirstByte(leaving.at), 8);
  EXPECT_EQ(FirstByte(leaving.at + 1), 7);
  EXPECT_EQ(fake_.Live().allocations, 1u);
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(GraphMemory, IsFreedByAnotherGraphOnce) {
  const Leaving leaving = MakeLeaving();
  CUgraph other = NewGraph();
  Free(other, leaving.at);
  CUgraphExec frees = Instantiate(other);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
    EXPECT_EQ(Launch(frees), CUDA_SUCCESS);
  }
  Synchronize();
  EXPECT_EQ(fake_.Live().allocations, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(Launch(frees), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(), ElementsAre("handle.double_destroy"));
}

TEST_P(GraphMemory, OutlivesItsContext) {
  const Leaving leaving = MakeLeaving(7);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  Synchronize();
  ASSERT_EQ(cu.cuGraphExecDestroy(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamDestroy_v2(stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(context_), CUDA_SUCCESS);
  NewContext();
  EXPECT_EQ(FirstByte(leaving.at), 7);
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

// The launch never ran; what it left is named by its address all the same, and can be freed.
TEST_P(GraphMemory, OfWorkThatAContextsEndDropsIsNotInTheWay) {
  const Leaving leaving = MakeLeaving();
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(context_), CUDA_SUCCESS);
  NewContext();
  stream_ = NewStream();
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_SUCCESS);
  CUgraphExec exec = Instantiate(leaving.graph);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(FirstByte(leaving.at), 7);
}

TEST_P(GraphMemory, AnswersAsMemoryOfItsDevice) {
  const Leaving leaving = MakeLeaving();
  unsigned type = 0;
  EXPECT_EQ(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, leaving.at),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, leaving.at + 3),
            CUDA_SUCCESS);
  EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
  CUcontext context = context_;
  EXPECT_EQ(cu.cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, leaving.at),
            CUDA_SUCCESS);
  EXPECT_EQ(context, nullptr);
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_EQ(cu.cuMemGetAddressRange_v2(&base, &size, leaving.at + 3), CUDA_SUCCESS);
  EXPECT_EQ(base, leaving.at);
  EXPECT_EQ(size, kBytes);
}

INSTANTIATE_TEST_SUITE_P(Policies, GraphMemory,
                         ::testing::Values("eager", "timed", "lazy", "random"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace culprit::fakedriver
