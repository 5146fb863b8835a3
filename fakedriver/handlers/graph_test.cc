// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::atomic<int> counted{0};
void Count(void*) { ++counted; }

class GraphTest : public testing::DriverTest {
 protected:
  GraphTest() {
    Start();
    context_ = NewContext();
    counted = 0;
  }

  CUgraph NewGraph() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    return graph;
  }
  CUgraphNode AddHost(CUgraph graph, std::vector<CUgraphNode> after = {}) {
    CUgraphNode node = nullptr;
    const CUDA_HOST_NODE_PARAMS params{Count, nullptr};
    EXPECT_EQ(cu.cuGraphAddHostNode(&node, graph, after.data(), after.size(), &params),
              CUDA_SUCCESS);
    return node;
  }
  CUgraphExec Instantiate(CUgraph graph) {
    CUgraphExec exec = nullptr;
    EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
    return exec;
  }
  size_t NodesOf(CUgraph graph) {
    size_t count = 0;
    EXPECT_EQ(cu.cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
    return count;
  }
  CUstreamCaptureStatus StatusOf(CUstream stream) {
    CUstreamCaptureStatus status;
    EXPECT_EQ(cu.cuStreamIsCapturing(stream, &status), CUDA_SUCCESS);
    return status;
  }

  CUcontext context_ = nullptr;
};

TEST_F(GraphTest, ExecutableOutlivesItsGraph) {
  CUgraph graph = NewGraph();
  AddHost(graph, {AddHost(graph)});
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS);
  CUstream stream = NewStream();
  EXPECT_EQ(cu.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(counted, 4);
  EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(), ElementsAre("handle.double_destroy"));
}

TEST_F(GraphTest, CycleCannotBeInstantiated) {
  CUgraph graph = NewGraph();
  CUgraphNode first = AddHost(graph);
  CUgraphNode second = AddHost(graph, {first});
  EXPECT_EQ(cu.cuGraphAddDependencies(graph, &second, &first, 1), CUDA_SUCCESS);
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphRemoveDependencies(graph, &second, &first, 1), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
}

TEST_F(GraphTest, CloneHasNodesOfItsOwn) {
  CUgraph graph = NewGraph();
  CUgraphNode node = AddHost(graph);
  CUgraph clone = nullptr;
  ASSERT_EQ(cu.cuGraphClone(&clone, graph), CUDA_SUCCESS);
  CUgraphNode twin = nullptr;
  EXPECT_EQ(cu.cuGraphNodeFindInClone(&twin, node, clone), CUDA_SUCCESS);
  EXPECT_NE(twin, node);
  EXPECT_EQ(cu.cuGraphDestroyNode(node), CUDA_SUCCESS);
  EXPECT_EQ(NodesOf(graph), 0u);
  EXPECT_EQ(NodesOf(clone), 1u);
}

TEST_F(GraphTest, UpdateTakesNewWorkAndKeepsTheStructure) {
  CUgraph graph = NewGraph();
  AddHost(graph);
  CUgraphExec exec = Instantiate(graph);
  CUgraph other = NewGraph();
  static std::atomic<int> others{0};
  others = 0;
  const CUDA_HOST_NODE_PARAMS params{[](void*) { ++others; }, nullptr};
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddHostNode(&node, other, nullptr, 0, &params), CUDA_SUCCESS);
  CUgraphExecUpdateResultInfo info;
  EXPECT_EQ(cu.cuGraphExecUpdate_v2(exec, other, &info), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphLaunch(exec, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(counted, 0);
  EXPECT_EQ(others, 1);
  AddHost(other, {node});
  EXPECT_EQ(cu.cuGraphExecUpdate_v2(exec, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

TEST_F(GraphTest, ChildGraphIsACopy) {
  CUgraph child = NewGraph();
  AddHost(child);
  CUgraph graph = NewGraph();
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child), CUDA_SUCCESS);
  CUgraph embedded = nullptr;
  ASSERT_EQ(cu.cuGraphChildGraphNodeGetGraph(node, &embedded), CUDA_SUCCESS);
  EXPECT_NE(embedded, child);
  EXPECT_EQ(cu.cuGraphDestroy(embedded), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroy(child), CUDA_SUCCESS);
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphLaunch(exec, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(counted, 1);
  EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().graphs, 0u);
}

TEST_F(GraphTest, UserObjectLivesUntilGraphAndExecutableAreGone) {
  CUuserObject object = nullptr;
  ASSERT_EQ(cu.cuUserObjectCreate(&object, nullptr, Count, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
            CUDA_SUCCESS);
  CUgraph graph = NewGraph();
  ASSERT_EQ(cu.cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE), CUDA_SUCCESS);
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS);
  EXPECT_EQ(counted, 0);
  EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_SUCCESS);
  while (counted == 0) std::this_thread::yield();
  EXPECT_EQ(fake_.Live().user_objects, 0u);
}

// As an H200 answers: only work that needs a context ends with it.
TEST_F(GraphTest, ExecutableOfEmptyNodesOutlivesItsContext) {
  CUgraph graph = NewGraph();
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddEmptyNode(&node, graph, nullptr, 0), CUDA_SUCCESS);
  CUgraphExec exec = Instantiate(graph);
  ASSERT_EQ(cu.cuCtxDestroy_v2(context_), CUDA_SUCCESS);
  CUcontext other = NewContext();
  EXPECT_EQ(cu.cuGraphLaunch(exec, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxDestroy_v2(other), CUDA_SUCCESS);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(GraphTest, LeftoversAreLeaks) {
  CUgraph graph = NewGraph();
  AddHost(graph);
  Instantiate(graph);
  ASSERT_EQ(cu.cuCtxDestroy_v2(context_), CUDA_SUCCESS);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), ElementsAre("leak.reclaimed", "leak.graph"));
}

TEST_F(GraphTest, CaptureTurnsSubmissionsIntoNodes) {
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuLaunchHostFunc(stream, Count, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuLaunchHostFunc(stream, Count, nullptr), CUDA_SUCCESS);
  CUgraph graph = nullptr;
  EXPECT_EQ(cu.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(counted, 0);
  EXPECT_EQ(NodesOf(graph), 2u);
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(cu.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(counted, 2);
}

TEST_F(GraphTest, CaptureFollowsEventsAndMustBeJoined) {
  CUstream first = NewStream();
  CUstream second = NewStream();
  CUevent fork = NewEvent();
  CUevent join = NewEvent();
  for (const bool joined : {true, false}) {
    ASSERT_EQ(cu.cuStreamBeginCapture_v2(first, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuEventRecord(fork, first), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamWaitEvent(second, fork, 0), CUDA_SUCCESS);
    EXPECT_EQ(StatusOf(second), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    ASSERT_EQ(cu.cuLaunchHostFunc(second, Count, nullptr), CUDA_SUCCESS);
    if (joined) {
      ASSERT_EQ(cu.cuEventRecord(join, second), CUDA_SUCCESS);
      ASSERT_EQ(cu.cuStreamWaitEvent(first, join, 0), CUDA_SUCCESS);
    }
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuStreamEndCapture(first, &graph),
              joined ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    EXPECT_EQ(graph != nullptr, joined);
    EXPECT_EQ(StatusOf(second), CU_STREAM_CAPTURE_STATUS_NONE);
  }
}

TEST_F(GraphTest, WaitingSpoilsACaptureAndIsNamed) {
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(NewStream()), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(StatusOf(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  CUgraph graph = nullptr;
  EXPECT_EQ(cu.cuStreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), Contains("stream.capture_broken"));
}

// What it left behind would be a leak to a sanitizer.
TEST_F(GraphTest, ResetEndsACapture) {
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  Start();
  NewContext();
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(GraphTest, ACaptureEndsWithItsContext) {
  const CUcontext context = NewContext();
  for (const CUstream stream : {NewStream(), CU_STREAM_PER_THREAD}) {
    SCOPED_TRACE(stream);
    ASSERT_EQ(cu.cuCtxSetCurrent(context), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  }
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  NewContext();
  EXPECT_EQ(StatusOf(CU_STREAM_PER_THREAD), CU_STREAM_CAPTURE_STATUS_NONE);
  // A capture that went on would be broken by this.
  const CUcontext second = Current();
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(NewStream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            CUDA_SUCCESS);
  OnAnotherThread([&] { EXPECT_EQ(cu.cuCtxDestroy_v2(second), CUDA_SUCCESS); });
  NewContext();
  EXPECT_EQ(cu.cuStreamSynchronize(NewStream()), CUDA_SUCCESS);
}

TEST_F(GraphTest, ThreadLocalCaptureMindsOnlyItsThread) {
  CUstream stream = NewStream();
  CUstream other = NewStream();
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
  OnAnotherThread([&] { EXPECT_EQ(cu.cuStreamSynchronize(other), CUDA_SUCCESS); });
  EXPECT_EQ(StatusOf(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CUgraph graph = nullptr;
  EXPECT_EQ(cu.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
}

}  // namespace
}  // namespace culprit::fakedriver
