// SPDX-License-Identifier: Apache-2.0
//
// Frees of a graph's memory whose success an injected error hid, and those that came to nothing:
// trying again is no misuse.
#include "fakedriver/handlers/testing/graph_memory_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using testing::GraphMemoryUnderEachPolicy;
using ::testing::IsEmpty;
using testing::kBytes;

class GraphMemoryRetry : public GraphMemoryUnderEachPolicy {
 protected:
  void Hide(const char* entry) {
    fake_.Inject({.entry = entry, .after = true, .result = CUDA_ERROR_UNKNOWN});
  }
  void BeginCapture() {
    ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  }
  CUresult EndCapture(CUgraph* graph) { return cu.cuStreamEndCapture(stream_, graph); }
};

TEST_P(GraphMemoryRetry, OfALaunchWhoseFreeWasHidden) {
  const Leaving leaving = MakeLeaving();
  CUgraph graph = NewGraph();
  const Made passing = Allocate(graph);
  CUgraphNode set = Set(graph, passing.at, 1, {passing.node});
  Free(graph, passing.at, {set});
  Free(graph, leaving.at);
  CUgraphExec exec = Instantiate(graph);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  Hide("cuGraphLaunch");
  ASSERT_EQ(Launch(exec), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(fake_.Live().allocations, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(Launch(exec), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(), ElementsAre("handle.double_destroy"));
}

TEST_P(GraphMemoryRetry, AsANodeOfWhatWasNoGraphsIsRefused) {
  CUdeviceptr at[2] = {};
  for (CUdeviceptr& one : at) {
    ASSERT_EQ(cu.cuMemAlloc_v2(&one, kBytes), CUDA_SUCCESS);
    Hide("cuMemFree_v2");
    ASSERT_EQ(cu.cuMemFree_v2(one), CUDA_ERROR_UNKNOWN);
  }
  CUgraph graph = NewGraph();
  EXPECT_EQ(TryFree(graph, at[0]), CUDA_ERROR_INVALID_VALUE);
  size_t count = 1;
  EXPECT_EQ(cu.cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 0u);
  BeginCapture();
  EXPECT_EQ(cu.cuMemFreeAsync(at[1], stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(EndCapture(&graph), CUDA_SUCCESS);
  EXPECT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
}

// Where work is postponed, the memory is not there yet when it is freed.
TEST_P(GraphMemoryRetry, OfAQueuedFreeOfWhatHasNotArrived) {
  const Leaving leaving = MakeLeaving();
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  Hide("cuMemFreeAsync");
  ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_ERROR_INVALID_VALUE);
  Synchronize();
  EXPECT_THAT(Rules(), ElementsAre("handle.double_destroy"));
}

TEST_P(GraphMemoryRetry, OfAFreeNodeMayBeOne) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Hide("cuGraphAddMemFreeNode");
  ASSERT_EQ(TryFree(graph, made.at, {made.node}), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(TryFree(graph, made.at, {made.node}), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
  CUgraphExec exec = Instantiate(graph);
  for (int launch = 0; launch < 2; ++launch) EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(fake_.Live().allocations, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(TryFree(graph, made.at, {made.node}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(), ElementsAre("memory.wrong_free"));
}

TEST_P(GraphMemoryRetry, OfACapturedFree) {
  BeginCapture();
  CUdeviceptr at = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&at, kBytes, stream_), CUDA_SUCCESS);
  Hide("cuMemFreeAsync");
  ASSERT_EQ(cu.cuMemFreeAsync(at, stream_), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(cu.cuMemFreeAsync(at, stream_), CUDA_SUCCESS);
  CUgraph graph = nullptr;
  ASSERT_EQ(EndCapture(&graph), CUDA_SUCCESS);
  EXPECT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(fake_.Live().allocations, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(GraphMemoryRetry, AfterACaptureThatWasDropped) {
  const Leaving leaving = MakeLeaving();
  BeginCapture();
  ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUgraph graph = nullptr;
  ASSERT_EQ(EndCapture(&graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  ASSERT_THAT(Rules(), ElementsAre("stream.capture_broken"));
  EXPECT_EQ(TryFree(leaving.graph, leaving.at), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("stream.capture_broken"));
}

TEST_P(GraphMemoryRetry, AfterACaptureWhoseGraphWasHidden) {
  const Leaving leaving = MakeLeaving();
  BeginCapture();
  ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  Hide("cuStreamEndCapture");
  CUgraph graph = nullptr;
  ASSERT_EQ(EndCapture(&graph), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(fake_.Live().orphaned, 1u);
  EXPECT_EQ(fake_.Live().graphs, 1u);
  EXPECT_EQ(TryFree(leaving.graph, leaving.at), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphExecDestroy(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphDestroy(leaving.graph), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamDestroy_v2(stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(context_), CUDA_SUCCESS);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(GraphMemoryRetry, AfterTheOtherGraphIsGone) {
  const Leaving leaving = MakeLeaving();
  CUgraph other = NewGraph();
  Free(other, leaving.at);
  ASSERT_EQ(cu.cuGraphDestroy(other), CUDA_SUCCESS);
  EXPECT_EQ(TryFree(leaving.graph, leaving.at), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Policies, GraphMemoryRetry,
                         ::testing::Values("eager", "timed", "lazy", "random"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace culprit::fakedriver
