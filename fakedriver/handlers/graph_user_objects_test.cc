// SPDX-License-Identifier: Apache-2.0
//
// CUDA programming guide, user objects: an executable has references of its own to what its graph
// and the child graphs in it hold, and keeps them as long as a launch needs them.
#include <atomic>
#include <thread>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

std::atomic<int> destroyed{0};
void Destroyed(void*) { ++destroyed; }

std::atomic<bool> open{false};
void WaitUntilOpen(void*) {
  while (!open) std::this_thread::yield();
}

class GraphUserObjects : public testing::DriverTest {
 protected:
  GraphUserObjects() {
    Start();
    NewContext();
    destroyed = 0;
    open = false;
  }

  uint32_t Objects() { return fake_.Live().user_objects; }

  CUgraph NewGraph() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    return graph;
  }
  CUgraph NewGraphWithObject() {
    CUgraph graph = NewGraph();
    CUuserObject object = nullptr;
    EXPECT_EQ(
        cu.cuUserObjectCreate(&object, nullptr, Destroyed, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
        CUDA_SUCCESS);
    EXPECT_EQ(cu.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE),
              CUDA_SUCCESS);
    return graph;
  }
  void AddHost(CUgraph graph, CUhostFn function) {
    CUgraphNode node = nullptr;
    const CUDA_HOST_NODE_PARAMS params{function, nullptr};
    EXPECT_EQ(cu.cuGraphAddHostNode(&node, graph, nullptr, 0, &params), CUDA_SUCCESS);
  }
  // A graph whose only node is a copy of that one, which goes.
  CUgraph Around(CUgraph child, CUgraphNode* node = nullptr) {
    CUgraph graph = NewGraph();
    CUgraphNode added = nullptr;
    EXPECT_EQ(
        cu.cuGraphAddChildGraphNode(node == nullptr ? &added : node, graph, nullptr, 0, child),
        CUDA_SUCCESS);
    Destroy(child);
    return graph;
  }
  void Destroy(CUgraph graph) { EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS); }
  void Destroy(CUgraphExec exec) { EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_SUCCESS); }
  CUgraphExec Instantiate(CUgraph graph) {
    CUgraphExec exec = nullptr;
    EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
    return exec;
  }
  CUresult Update(CUgraphExec exec, CUgraph graph) {
    CUgraphExecUpdateResultInfo info;
    return cu.cuGraphExecUpdate_v2(exec, graph, &info);
  }
  void Launch(CUgraphExec exec) { EXPECT_EQ(cu.cuGraphLaunch(exec, nullptr), CUDA_SUCCESS); }
  static void AwaitDestructors(int count) {
    while (destroyed < count) std::this_thread::yield();
  }
};

TEST_F(GraphUserObjects, OfChildGraphsAreKeptByTheExecutable) {
  CUgraph inner = NewGraphWithObject();
  CUgraph middle = Around(inner);
  CUgraph graph = Around(middle);
  CUgraphExec exec = Instantiate(graph);
  Destroy(graph);
  EXPECT_EQ(Objects(), 1u);
  EXPECT_EQ(destroyed, 0);
  Destroy(exec);
  EXPECT_EQ(Objects(), 0u);
  AwaitDestructors(1);
  EXPECT_THAT(Rules(), ::testing::IsEmpty());
}

TEST_F(GraphUserObjects, StayUntilTheLastLaunchIsOver) {
  CUgraph child = NewGraphWithObject();
  AddHost(child, WaitUntilOpen);
  CUgraph graph = Around(child);
  CUuserObject object = nullptr;
  ASSERT_EQ(
      cu.cuUserObjectCreate(&object, nullptr, Destroyed, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
      CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE), CUDA_SUCCESS);
  CUgraphExec exec = Instantiate(graph);
  Destroy(graph);
  Launch(exec);
  Launch(exec);
  Destroy(exec);
  EXPECT_EQ(Objects(), 2u);
  open = true;
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(Objects(), 0u);
  AwaitDestructors(2);
}

TEST_F(GraphUserObjects, AreExchangedByAnUpdate) {
  CUgraph first = NewGraphWithObject();
  CUgraphExec exec = Instantiate(first);
  Destroy(first);
  CUgraph second = NewGraphWithObject();
  EXPECT_EQ(Objects(), 2u);
  EXPECT_EQ(Update(exec, second), CUDA_SUCCESS);
  EXPECT_EQ(Objects(), 1u);
  Destroy(second);
  EXPECT_EQ(Objects(), 1u);
  CUgraph without = NewGraph();
  EXPECT_EQ(Update(exec, without), CUDA_SUCCESS);
  EXPECT_EQ(Objects(), 0u);
  AwaitDestructors(2);
}

TEST_F(GraphUserObjects, OfChildGraphsAreExchangedByAnUpdate) {
  CUgraph first = Around(NewGraphWithObject());
  CUgraphExec exec = Instantiate(first);
  Destroy(first);
  CUgraph second = Around(NewGraphWithObject());
  EXPECT_EQ(Update(exec, second), CUDA_SUCCESS);
  EXPECT_EQ(Objects(), 1u);
  Destroy(second);
  EXPECT_EQ(Objects(), 1u);
  Destroy(exec);
  EXPECT_EQ(Objects(), 0u);
}

TEST_F(GraphUserObjects, StayWhenAnUpdateIsRefused) {
  CUgraph first = NewGraphWithObject();
  CUgraphExec exec = Instantiate(first);
  Destroy(first);
  CUgraph other = NewGraphWithObject();
  AddHost(other, WaitUntilOpen);
  EXPECT_EQ(Update(exec, other), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(Objects(), 2u);
  Destroy(other);
  EXPECT_EQ(Objects(), 1u);
  Destroy(exec);
  EXPECT_EQ(Objects(), 0u);
}

TEST_F(GraphUserObjects, AreThoseOfTheChildGraphThatTheExecutableWasGiven) {
  CUgraphNode node = nullptr;
  CUgraph graph = Around(NewGraphWithObject(), &node);
  CUgraphExec exec = Instantiate(graph);
  CUgraph other = NewGraphWithObject();
  EXPECT_EQ(cu.cuGraphExecChildGraphNodeSetParams(exec, node, other), CUDA_SUCCESS);
  Destroy(other);
  EXPECT_EQ(Objects(), 2u);
  Destroy(graph);  // whose child nobody has any more
  EXPECT_EQ(Objects(), 1u);
  Destroy(exec);
  EXPECT_EQ(Objects(), 0u);
}

// Guessed.
TEST_F(GraphUserObjects, OfAnExecutableGoWithItsContext) {
  CUgraph child = NewGraphWithObject();
  AddHost(child, Destroyed);
  CUgraph graph = Around(child);
  Instantiate(graph);
  Destroy(graph);
  EXPECT_EQ(Objects(), 1u);
  CUcontext context = nullptr;
  ASSERT_EQ(cu.cuCtxGetCurrent(&context), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_EQ(Objects(), 0u);
  AwaitDestructors(1);
}

// A reset forgets the program, whose memory may be gone. The callback thread keeps the order: the
// destructor of the second life would come after one of the first.
TEST_F(GraphUserObjects, AreNotDestroyedByAReset) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUgraph graph = NewGraphWithObject();
  AddHost(graph, WaitUntilOpen);
  CUgraphExec exec = Instantiate(graph);
  Destroy(graph);
  Launch(exec);
  Destroy(exec);
  EXPECT_EQ(Objects(), 1u);
  Start();
  NewContext();
  graph = NewGraphWithObject();
  exec = Instantiate(graph);
  Destroy(graph);
  Destroy(exec);
  AwaitDestructors(1);
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
}  // namespace culprit::fakedriver
