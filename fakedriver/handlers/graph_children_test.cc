// SPDX-License-Identifier: Apache-2.0
//
// Child graphs are their parent's own: copied with it, gone with it.
#include <atomic>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::atomic<int> counted{0};
void Count(void*) { ++counted; }

class GraphChildren : public testing::DriverTest {
 protected:
  GraphChildren() {
    Start();
    NewContext();
    counted = 0;
  }

  CUgraph NewGraph() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    return graph;
  }
  CUgraphNode AddHost(CUgraph graph) {
    CUgraphNode node = nullptr;
    const CUDA_HOST_NODE_PARAMS params{Count, nullptr};
    EXPECT_EQ(cu.cuGraphAddHostNode(&node, graph, nullptr, 0, &params), CUDA_SUCCESS);
    return node;
  }
  CUgraphNode AddChild(CUgraph graph, CUgraph child) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(cu.cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child), CUDA_SUCCESS);
    return node;
  }
  CUgraph ChildOf(CUgraphNode node) {
    CUgraph child = nullptr;
    EXPECT_EQ(cu.cuGraphChildGraphNodeGetGraph(node, &child), CUDA_SUCCESS);
    return child;
  }
  CUgraph Clone(CUgraph graph) {
    CUgraph clone = nullptr;
    EXPECT_EQ(cu.cuGraphClone(&clone, graph), CUDA_SUCCESS);
    return clone;
  }
  CUgraphNode Find(CUgraphNode node, CUgraph clone) {
    CUgraphNode twin = nullptr;
    EXPECT_EQ(cu.cuGraphNodeFindInClone(&twin, node, clone), CUDA_SUCCESS);
    return twin;
  }
  CUgraphExec Instantiate(CUgraph graph) {
    CUgraphExec exec = nullptr;
    EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
    return exec;
  }
  // The child has a reference to it, and so has each copy.
  CUgraph NewChildWithObject() {
    CUgraph child = NewGraph();
    CUuserObject object = nullptr;
    EXPECT_EQ(cu.cuUserObjectCreate(&object, nullptr, Count, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
              CUDA_SUCCESS);
    EXPECT_EQ(cu.cuGraphRetainUserObject(child, object, 1, CU_GRAPH_USER_OBJECT_MOVE),
              CUDA_SUCCESS);
    return child;
  }
  int CallsOf(CUgraphExec exec) {
    counted = 0;
    EXPECT_EQ(cu.cuGraphLaunch(exec, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    return counted;
  }
};

// CUDA driver API, cuGraphClone: child graphs are cloned too.
TEST_F(GraphChildren, AreClonedWithTheirParent) {
  CUgraph child = NewGraph();
  CUgraphNode inner = AddChild(child, NewGraph());
  AddHost(ChildOf(inner));
  CUgraph graph = NewGraph();
  CUgraphNode node = AddChild(graph, child);
  CUgraph clone = Clone(graph);
  CUgraph twin = ChildOf(Find(node, clone));
  EXPECT_NE(twin, ChildOf(node));
  CUgraphNode inner_in_graph = nullptr;
  size_t count = 1;
  ASSERT_EQ(cu.cuGraphGetNodes(ChildOf(node), &inner_in_graph, &count), CUDA_SUCCESS);
  CUgraphNode inner_in_twin = Find(inner_in_graph, twin);
  EXPECT_NE(ChildOf(inner_in_twin), ChildOf(inner_in_graph));
  AddHost(ChildOf(inner_in_twin));
  AddHost(twin);
  EXPECT_EQ(CallsOf(Instantiate(graph)), 1);
  EXPECT_EQ(CallsOf(Instantiate(clone)), 3);
  EXPECT_EQ(cu.cuGraphDestroy(twin), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphChildren, OfACloneOutliveTheOriginal) {
  CUgraph graph = NewGraph();
  CUgraphNode node = AddChild(graph, NewGraph());
  CUgraph clone = Clone(graph);
  CUgraph twin = ChildOf(Find(node, clone));
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS);
  AddHost(twin);
  EXPECT_EQ(CallsOf(Instantiate(clone)), 1);
  EXPECT_EQ(cu.cuGraphDestroy(clone), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().graphs, 1u);  // what was given to be copied
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(GraphChildren, StayInAnExecutableAsTheyWere) {
  CUgraph graph = NewGraph();
  CUgraph child = ChildOf(AddChild(graph, NewGraph()));
  AddHost(child);
  CUgraphExec exec = Instantiate(graph);
  AddHost(child);
  EXPECT_EQ(CallsOf(exec), 1);
  CUgraphExec later = Instantiate(graph);
  CUgraphExecUpdateResultInfo info;
  EXPECT_EQ(cu.cuGraphExecUpdate_v2(exec, graph, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS);
  EXPECT_EQ(CallsOf(exec), 1);
  EXPECT_EQ(CallsOf(later), 2);
}

TEST_F(GraphChildren, WithACycleCannotBeInstantiated) {
  CUgraph graph = NewGraph();
  CUgraph child = ChildOf(AddChild(graph, NewGraph()));
  CUgraphNode nodes[] = {AddHost(child), AddHost(child)};
  CUgraphNode others[] = {nodes[1], nodes[0]};
  ASSERT_EQ(cu.cuGraphAddDependencies(child, nodes, others, 2), CUDA_SUCCESS);
  CUgraphExec exec = nullptr;
  EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphChildren, MayBeCopiesOfWhatTheyAreIn) {
  CUgraph outer = NewGraph();
  AddHost(outer);
  CUgraph inner = ChildOf(AddChild(outer, NewGraph()));
  AddChild(inner, outer);
  AddChild(outer, outer);
  EXPECT_EQ(CallsOf(Instantiate(outer)), 4);
}

TEST_F(GraphChildren, GoWithTheirNode) {
  CUgraph child = NewChildWithObject();
  CUgraph graph = NewGraph();
  CUgraphNode node = AddChild(graph, child);
  CUgraph copy = ChildOf(node);
  EXPECT_EQ(cu.cuGraphDestroy(child), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().user_objects, 1u);
  EXPECT_EQ(cu.cuGraphDestroyNode(node), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().user_objects, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
  size_t count = 0;
  EXPECT_EQ(cu.cuGraphGetNodes(copy, nullptr, &count), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphChildren, GoWhenOthersTakeTheirPlace) {
  CUgraph child = NewChildWithObject();
  CUgraph graph = NewGraph();
  CUgraphNode node = AddChild(graph, child);
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(cu.cuGraphExecChildGraphNodeSetParams(exec, node, child), CUDA_SUCCESS);
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph.graph = NewGraph();
  EXPECT_EQ(cu.cuGraphNodeSetParams(node, &params), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphDestroy(child), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().user_objects, 1u);  // the executable was given that child
  EXPECT_EQ(cu.cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().user_objects, 0u);
}

TEST_F(GraphChildren, OfNodesThatCameToNothingAreGone) {
  CUgraph child = NewChildWithObject();
  CUgraph graph = NewGraph();
  CUgraphNode host = AddHost(graph);
  EXPECT_EQ(cu.cuGraphAddChildGraphNode(nullptr, graph, nullptr, 0, child),
            CUDA_ERROR_INVALID_VALUE);
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph.graph = child;
  EXPECT_EQ(cu.cuGraphNodeSetParams(host, &params), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroy(child), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().user_objects, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(GraphChildren, AreNoLeaksOfTheirOwn) {
  CUgraph graph = NewGraph();
  CUgraph child = NewGraph();
  AddChild(graph, child);
  Clone(graph);
  EXPECT_EQ(cu.cuGraphDestroy(child), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().graphs, 2u);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), UnorderedElementsAre("leak.context", "leak.graph", "leak.graph"));
}

}  // namespace
}  // namespace culprit::fakedriver
