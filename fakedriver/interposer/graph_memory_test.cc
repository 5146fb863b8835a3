// SPDX-License-Identifier: Apache-2.0
//
// Memory that launches of graphs allocate and free counts as the driver behind has it.
#include <vector>

#include "fakedriver/interposer/testing/interposer_test.h"

namespace culprit {
namespace {

using ::testing::IsEmpty;

#define CULPRIT_CALL(entry, ...) Call<decltype(&::entry)>(#entry, __VA_ARGS__)

class InterposedGraphMemory : public testing::InterposerTest {
 protected:
  InterposedGraphMemory() { EXPECT_EQ(CULPRIT_CALL(cuStreamCreate, &stream_, 1u), CUDA_SUCCESS); }

  CUgraph NewGraph() {
    CUgraph graph = nullptr;
    EXPECT_EQ(CULPRIT_CALL(cuGraphCreate, &graph, 0u), CUDA_SUCCESS);
    return graph;
  }
  struct Made {
    CUgraphNode node = nullptr;
    CUdeviceptr at = 0;
  };
  Made Allocate(CUgraph graph) {
    CUDA_MEM_ALLOC_NODE_PARAMS params{};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    params.bytesize = 64;
    Made made;
    EXPECT_EQ(CULPRIT_CALL(cuGraphAddMemAllocNode, &made.node, graph, nullptr, size_t{0}, &params),
              CUDA_SUCCESS);
    made.at = params.dptr;
    return made;
  }
  void Free(CUgraph graph, CUdeviceptr at, std::vector<CUgraphNode> after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(CULPRIT_CALL(cuGraphAddMemFreeNode, &node, graph, after.data(), after.size(), at),
              CUDA_SUCCESS);
  }
  void Move(CUgraph graph, CUgraph child) {
    CUgraphNode node = nullptr;
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_GRAPH;
    params.graph = {child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE};
    EXPECT_EQ(CULPRIT_CALL(cuGraphAddNode_v2, &node, graph, nullptr, nullptr, size_t{0}, &params),
              CUDA_SUCCESS);
  }
  CUgraphExec Instantiate(CUgraph graph, unsigned long long flags = 0) {
    CUgraphExec exec = nullptr;
    EXPECT_EQ(CULPRIT_CALL(cuGraphInstantiateWithFlags, &exec, graph, flags), CUDA_SUCCESS);
    return exec;
  }
  CUresult Launch(CUgraphExec exec) { return CULPRIT_CALL(cuGraphLaunch, exec, stream_); }
  CUresult FreeNow(CUdeviceptr at) { return CULPRIT_CALL(cuMemFree_v2, at); }
  void BeginCapture() {
    EXPECT_EQ(CULPRIT_CALL(cuStreamBeginCapture_v2, stream_, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
  }
  CUgraph EndCapture() {
    CUgraph graph = nullptr;
    EXPECT_EQ(CULPRIT_CALL(cuStreamEndCapture, stream_, &graph), CUDA_SUCCESS);
    return graph;
  }
  // Of both, which have to agree.
  uint32_t Allocations() {
    EXPECT_EQ(interposer_.Live().allocations, vendor_.Live().allocations);
    return interposer_.Live().allocations;
  }

  CUstream stream_ = nullptr;
};

TEST_F(InterposedGraphMemory, IsThereFromTheLaunchUntilItIsFreed) {
  CUgraph graph = NewGraph();
  const Made left = Allocate(graph);
  const Made passing = Allocate(graph);
  Free(graph, passing.at, {passing.node});
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(Allocations(), 0u);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 1u);
  EXPECT_EQ(Launch(exec), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Allocations(), 1u);
  EXPECT_EQ(FreeNow(left.at), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 0u);
}

TEST_F(InterposedGraphMemory, IsFreedByANodeOfAnotherGraph) {
  CUgraph graph = NewGraph();
  const Made left = Allocate(graph);
  CUgraph frees = NewGraph();
  Free(frees, left.at);
  CUgraphExec exec = Instantiate(graph);
  CUgraphExec free = Instantiate(frees);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
    EXPECT_EQ(Allocations(), 1u);
    EXPECT_EQ(Launch(free), CUDA_SUCCESS);
    EXPECT_EQ(Allocations(), 0u);
  }
  EXPECT_EQ(CULPRIT_CALL(cuGraphExecDestroy, exec), CUDA_SUCCESS);
  EXPECT_EQ(CULPRIT_CALL(cuGraphExecDestroy, free), CUDA_SUCCESS);
  EXPECT_THAT(vendor_.Findings(), IsEmpty());
}

TEST_F(InterposedGraphMemory, IsReplacedByALaunchThatFreesItBefore) {
  CUgraph graph = NewGraph();
  Allocate(graph);
  CUgraphExec exec = Instantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  for (int round = 0; round < 2; ++round) EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 1u);
}

TEST_F(InterposedGraphMemory, OfACaptureIsThereWithTheLaunch) {
  BeginCapture();
  CUdeviceptr left = 0;
  CUdeviceptr passing = 0;
  EXPECT_EQ(CULPRIT_CALL(cuMemAllocAsync, &left, size_t{64}, stream_), CUDA_SUCCESS);
  EXPECT_EQ(CULPRIT_CALL(cuMemAllocAsync, &passing, size_t{64}, stream_), CUDA_SUCCESS);
  EXPECT_EQ(CULPRIT_CALL(cuMemFreeAsync, passing, stream_), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 0u);
  EXPECT_EQ(Launch(Instantiate(EndCapture())), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 1u);
  BeginCapture();
  EXPECT_EQ(CULPRIT_CALL(cuMemFreeAsync, left, stream_), CUDA_SUCCESS);
  CUgraph frees = EndCapture();
  EXPECT_EQ(Allocations(), 1u);
  EXPECT_EQ(Launch(Instantiate(frees)), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 0u);
  CUdeviceptr queued = 0;
  EXPECT_EQ(CULPRIT_CALL(cuMemAllocAsync, &queued, size_t{64}, stream_), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 1u);
}

TEST_F(InterposedGraphMemory, OfAMovedChildIsItsParents) {
  CUgraph child = NewGraph();
  Allocate(child);
  CUgraph graph = NewGraph();
  Move(graph, child);
  EXPECT_EQ(interposer_.Live().graphs, 1u);
  EXPECT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
  EXPECT_EQ(Allocations(), 1u);
}

TEST_F(InterposedGraphMemory, OfALaunchThatReportedAFailureIsNobodys) {
  CUgraph graph = NewGraph();
  const Made left = Allocate(graph);
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  CUgraph frees = NewGraph();
  Free(frees, left.at);
  Allocate(frees);
  interposer_.Inject({.entry = "cuGraphLaunch", .after = true, .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(Launch(Instantiate(frees)), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(interposer_.Live().allocations, 0u);
  EXPECT_EQ(interposer_.Live().orphaned, 1u);
  EXPECT_EQ(FreeNow(left.at), CUDA_SUCCESS);  // for all that the program knows
  EXPECT_THAT(vendor_.Findings(), IsEmpty());
}

TEST_F(InterposedGraphMemory, ACaptureIntoAGraphMakesNoOther) {
  CUgraph graph = NewGraph();
  EXPECT_EQ(CULPRIT_CALL(cuStreamBeginCaptureToGraph, stream_, graph, nullptr, nullptr, size_t{0},
                         CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_SUCCESS);
  EXPECT_EQ(EndCapture(), graph);
  EXPECT_EQ(interposer_.Live().graphs, 1u);
  EXPECT_EQ(CULPRIT_CALL(cuGraphDestroy, graph), CUDA_SUCCESS);
  EXPECT_EQ(interposer_.Live().graphs, 0u);
}

#undef CULPRIT_CALL

}  // namespace
}  // namespace culprit
