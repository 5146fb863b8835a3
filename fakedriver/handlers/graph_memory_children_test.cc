// SPDX-License-Identifier: Apache-2.0
//
// Child graphs with and without memory nodes: which may be moved where, and what frees must follow.
#include "fakedriver/handlers/testing/graph_memory_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using testing::GraphMemoryTest;

class GraphMemoryChildren : public GraphMemoryTest {
 protected:
  GraphMemoryChildren() { Begin(); }

  CUresult TryMove(CUgraph parent, CUgraph child, Nodes after = {}, CUgraphNode* node = nullptr) {
    CUgraphNode unused = nullptr;
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_GRAPH;
    params.graph = {child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE};
    return cu.cuGraphAddNode_v2(node != nullptr ? node : &unused, parent, after.data(), nullptr,
                                after.size(), &params);
  }
  CUgraphNode Move(CUgraph parent, CUgraph child, Nodes after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(TryMove(parent, child, after, &node), CUDA_SUCCESS);
    return node;
  }
  CUgraphNode AddClone(CUgraph parent, CUgraph child) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(cu.cuGraphAddChildGraphNode(&node, parent, nullptr, 0, child), CUDA_SUCCESS);
    return node;
  }
  CUgraph ChildOf(CUgraphNode node) {
    CUgraph child = nullptr;
    EXPECT_EQ(cu.cuGraphChildGraphNodeGetGraph(node, &child), CUDA_SUCCESS);
    return child;
  }
  CUresult TryInstantiate(CUgraph graph) {
    CUgraphExec exec = nullptr;
    return cu.cuGraphInstantiateWithFlags(&exec, graph, 0);
  }
};

TEST_F(GraphMemoryChildren, AreNotMovedIntoWhatIsInThem) {
  CUgraph inner = NewGraph();
  CUgraph middle = NewGraph();
  CUgraph outer = NewGraph();
  CUgraphNode node = Move(middle, inner);
  Move(outer, middle);
  EXPECT_EQ(TryMove(inner, inner), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(TryMove(inner, outer), CUDA_ERROR_INVALID_VALUE);
  CUgraph clone = nullptr;
  EXPECT_EQ(cu.cuGraphClone(&clone, outer), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphDestroyNode(node), CUDA_SUCCESS);
}

TEST_F(GraphMemoryChildren, WithMemoryNodesAreNotMovedIntoAChild) {
  CUgraph outer = NewGraph();
  CUgraph moved = NewGraph();
  Move(outer, moved);
  EXPECT_EQ(TryMove(moved, MakeLeaving().graph), CUDA_ERROR_NOT_SUPPORTED);
  CUgraph with_memory = NewGraph();
  Allocate(with_memory);
  EXPECT_EQ(TryMove(moved, with_memory), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(TryMove(ChildOf(AddClone(outer, NewGraph())), with_memory), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(TryMove(moved, NewGraph()), CUDA_SUCCESS);
  EXPECT_EQ(TryMove(outer, with_memory), CUDA_SUCCESS);
}

TEST_F(GraphMemoryChildren, ThatAreCopiesGetNoMemoryNodes) {
  CUgraph outer = NewGraph();
  CUgraph copy = ChildOf(AddClone(outer, NewGraph()));
  CUgraphNode node = nullptr;
  CUDA_MEM_ALLOC_NODE_PARAMS params = Params(testing::kBytes);
  EXPECT_EQ(cu.cuGraphAddMemAllocNode(&node, copy, nullptr, 0, &params), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(TryFree(copy, MakeLeaving().at), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(Launch(Instantiate(outer)), CUDA_SUCCESS);
  Synchronize();
}

TEST_F(GraphMemoryChildren, FreeOnlyAfterTheAllocation) {
  for (const bool ordered : {false, true}) {
    CUgraph outer = NewGraph();
    const Made made = Allocate(outer);
    CUgraph child = NewGraph();
    Free(child, made.at);
    Move(outer, child, ordered ? Nodes{made.node} : Nodes{});
    EXPECT_EQ(TryInstantiate(outer), ordered ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE) << ordered;
  }
}

TEST_F(GraphMemoryChildren, AllocateBeforeTheFree) {
  for (const bool ordered : {false, true}) {
    CUgraph child = NewGraph();
    const Made made = Allocate(child);
    CUgraph outer = NewGraph();
    CUgraphNode node = Move(outer, child);
    Free(outer, made.at, ordered ? Nodes{node} : Nodes{});
    EXPECT_EQ(TryInstantiate(outer), ordered ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE) << ordered;
  }
}

TEST_F(GraphMemoryChildren, AllocateBeforeTheyFree) {
  for (const bool ordered : {false, true}) {
    CUgraph child = NewGraph();
    const Made made = Allocate(child);
    Free(child, made.at, ordered ? Nodes{made.node} : Nodes{});
    CUgraph outer = NewGraph();
    Move(outer, child);
    EXPECT_EQ(TryInstantiate(outer), ordered ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE) << ordered;
  }
}

TEST_F(GraphMemoryChildren, FreeNodeOfWhatTheLaunchHasFreedSaysNothing) {
  const Leaving leaving = MakeLeaving();
  CUgraph frees = NewGraph();
  Free(frees, leaving.at);
  CUgraph child = NewGraph();
  Free(child, leaving.at);
  Move(frees, child);
  CUgraphExec exec = Instantiate(frees);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  CUstream other = NewStream();
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(event, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other, event, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(leaving.at, 8, 1, other), CUDA_SUCCESS);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().allocations, 0u);
  EXPECT_THAT(Rules(), ElementsAre("memory.freed_busy"));
}

}  // namespace
}  // namespace culprit::fakedriver
