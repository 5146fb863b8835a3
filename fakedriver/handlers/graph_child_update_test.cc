// SPDX-License-Identifier: Apache-2.0
//
// CUDA driver API, cuGraphExecUpdate and cuGraphExecChildGraphNodeSetParams: child graphs must be
// built alike.
#include <atomic>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

std::atomic<int> counted{0};
void Count(void*) { ++counted; }
void CountTen(void*) { counted += 10; }

class GraphChildUpdate : public testing::DriverTest {
 protected:
  GraphChildUpdate() {
    Start();
    NewContext();
  }

  CUgraph NewGraph() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    return graph;
  }
  CUgraphNode AddHost(CUgraph graph, CUhostFn function = Count) {
    CUgraphNode node = nullptr;
    const CUDA_HOST_NODE_PARAMS params{function, nullptr};
    EXPECT_EQ(cu.cuGraphAddHostNode(&node, graph, nullptr, 0, &params), CUDA_SUCCESS);
    return node;
  }
  CUgraphNode AddEmpty(CUgraph graph) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(cu.cuGraphAddEmptyNode(&node, graph, nullptr, 0), CUDA_SUCCESS);
    return node;
  }
  void AddEdge(CUgraph graph, CUgraphNode from, CUgraphNode to) {
    EXPECT_EQ(cu.cuGraphAddDependencies(graph, &from, &to, 1), CUDA_SUCCESS);
  }
  CUgraph Around(CUgraph child, CUgraphNode* node) {
    CUgraph graph = NewGraph();
    EXPECT_EQ(cu.cuGraphAddChildGraphNode(node, graph, nullptr, 0, child), CUDA_SUCCESS);
    return graph;
  }
  CUgraph Around(CUgraph child) {
    CUgraphNode node = nullptr;
    return Around(child, &node);
  }
  // Two nodes without an edge.
  CUgraph NewPair(CUhostFn function = Count) {
    CUgraph graph = NewGraph();
    AddHost(graph, function);
    AddHost(graph, function);
    return graph;
  }
  // Two nodes one after the other, added in that order or the other.
  CUgraph NewChain(bool first_added_first) {
    CUgraph graph = NewGraph();
    CUgraphNode one = AddHost(graph);
    CUgraphNode other = AddHost(graph);
    first_added_first ? AddEdge(graph, one, other) : AddEdge(graph, other, one);
    return graph;
  }

  // An executable of a graph around `child`.
  void Make(CUgraph child) {
    CUgraph graph = Around(child, &node_);
    ASSERT_EQ(cu.cuGraphInstantiateWithFlags(&exec_, graph, 0), CUDA_SUCCESS);
  }
  CUresult Update(CUgraph child) {
    CUgraphNode node = nullptr;
    const CUresult result = cu.cuGraphExecUpdate_v2(exec_, Around(child, &node), &info_);
    EXPECT_EQ(info_.errorNode, result == CUDA_SUCCESS ? nullptr : node);
    return result;
  }
  CUresult SetChild(CUgraph child) {
    return cu.cuGraphExecChildGraphNodeSetParams(exec_, node_, child);
  }
  int Calls() {
    counted = 0;
    EXPECT_EQ(cu.cuGraphLaunch(exec_, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    return counted;
  }
  // Refused both ways, and nothing has changed.
  void ExpectRefused(CUgraph child, CUgraphExecUpdateResult why) {
    const int calls = Calls();
    EXPECT_EQ(Update(child), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    EXPECT_EQ(info_.result, why);
    EXPECT_EQ(SetChild(child), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(Calls(), calls);
  }

  CUgraphNode node_ = nullptr;
  CUgraphExec exec_ = nullptr;
  CUgraphExecUpdateResultInfo info_{};
};

TEST_F(GraphChildUpdate, TakesWorkOfTheSameStructure) {
  Make(Around(NewPair()));
  EXPECT_EQ(Calls(), 2);
  EXPECT_EQ(Update(Around(NewPair(CountTen))), CUDA_SUCCESS);
  EXPECT_EQ(Calls(), 20);
  EXPECT_EQ(SetChild(Around(NewPair())), CUDA_SUCCESS);
  EXPECT_EQ(Calls(), 2);
}

TEST_F(GraphChildUpdate, RefusesMoreAndFewerNodes) {
  Make(NewPair());
  CUgraph more = NewPair();
  AddHost(more);
  ExpectRefused(more, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  ExpectRefused(NewGraph(), CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

TEST_F(GraphChildUpdate, RefusesOtherEdges) {
  Make(NewPair());
  ExpectRefused(NewChain(true), CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

TEST_F(GraphChildUpdate, RefusesNodesOfOtherTypes) {
  Make(NewPair());
  CUgraph other = NewGraph();
  AddHost(other);
  AddEmpty(other);
  ExpectRefused(other, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
}

TEST_F(GraphChildUpdate, LooksAtEveryDepth) {
  Make(Around(Around(NewPair())));
  ExpectRefused(Around(Around(NewChain(true))), CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  ExpectRefused(Around(NewPair()), CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

TEST_F(GraphChildUpdate, OfOneNodeNeedsTheOrderInWhichNodesWereAdded) {
  Make(NewChain(true));
  EXPECT_EQ(SetChild(NewChain(false)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(SetChild(NewChain(true)), CUDA_SUCCESS);
  EXPECT_EQ(Update(NewChain(false)), CUDA_SUCCESS);
}

// The executable has the child graph as it was, whatever the graph has now.
TEST_F(GraphChildUpdate, IsComparedWithWhatTheExecutableHas) {
  Make(NewPair());
  CUgraph child = nullptr;
  ASSERT_EQ(cu.cuGraphChildGraphNodeGetGraph(node_, &child), CUDA_SUCCESS);
  AddHost(child);
  EXPECT_EQ(SetChild(child), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(SetChild(NewPair(CountTen)), CUDA_SUCCESS);
  EXPECT_EQ(Calls(), 20);
}

}  // namespace
}  // namespace culprit::fakedriver
