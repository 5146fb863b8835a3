// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a use or a free of a graph's memory is named, and its legal neighbour is not.
#include <string>

#include "fakedriver/handlers/testing/graph_memory_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::GraphMemoryTest;
using testing::GraphMemoryUnderEachPolicy;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kBytes;

// `copy` reads the word at `from` and stores it at `to`.
constexpr const char* kKernel = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from)
{
  .reg .b32 %r<1>; .reg .b64 %a<2>;
  ld.param.u64 %a0, [to]; ld.param.u64 %a1, [from];
  ld.global.u32 %r0, [%a1];
  st.global.u32 [%a0], %r0;
  ret;
}
)";

class GraphMemoryFindings : public GraphMemoryUnderEachPolicy {
 protected:
  CUfunction Copy() {
    CUmodule module = nullptr;
    EXPECT_EQ(cu.cuModuleLoadData(&module, kKernel), CUDA_SUCCESS);
    CUfunction function = nullptr;
    EXPECT_EQ(cu.cuModuleGetFunction(&function, module, "copy"), CUDA_SUCCESS);
    return function;
  }
  CUgraphNode Kernel(CUgraph graph, CUdeviceptr to, CUdeviceptr from, Nodes after) {
    void* parameters[] = {&to, &from};
    CUDA_KERNEL_NODE_PARAMS params{};
    params.func = Copy();
    params.gridDimX = params.gridDimY = params.gridDimZ = 1;
    params.blockDimX = params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = parameters;
    CUgraphNode node = nullptr;
    EXPECT_EQ(cu.cuGraphAddKernelNode_v2(&node, graph, after.data(), after.size(), &params),
              CUDA_SUCCESS);
    return node;
  }
  CUdeviceptr OtherMemory() {
    CUdeviceptr at = 0;
    EXPECT_EQ(cu.cuMemAlloc_v2(&at, kBytes), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD8_v2(at, 0, kBytes), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    return at;
  }
  std::vector<std::string> Outcome() {
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    return Rules();
  }
};

// ---- Uses outside of the memory's time ----

TEST_P(GraphMemoryFindings, UseBeforeAnyLaunchIsNamed) {
  const Leaving leaving = MakeLeaving();
  EXPECT_EQ(cu.cuMemsetD8Async(leaving.at, 0, 1, stream_), CUDA_ERROR_INVALID_VALUE);
  ASSERT_THAT(Outcome(), ElementsAre("memory.use_after_free"));
  const Finding finding = fake_.Findings()[0];
  EXPECT_THAT(finding.message, HasSubstr("no launch of its graph has allocated"));
  EXPECT_THAT(finding.object,
              AllOf(HasSubstr("graph memory"), HasSubstr("cuGraphAddMemAllocNode")));
}

TEST_P(GraphMemoryFindings, UseAfterTheFreeIsNamed) {
  const Leaving leaving = MakeLeaving();
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(leaving.at, 0, 1, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  ASSERT_THAT(Outcome(), IsEmpty());
  EXPECT_EQ(cu.cuMemsetD8Async(leaving.at, 0, 1, stream_), CUDA_ERROR_INVALID_VALUE);
  ASSERT_THAT(Outcome(), ElementsAre("memory.use_after_free"));
  EXPECT_THAT(fake_.Findings()[0].object,
              AllOf(HasSubstr("cuGraphLaunch"), HasSubstr("cuMemFreeAsync")));
}

TEST_P(GraphMemoryFindings, CopyNodeThatTheAllocationIsNotBeforeIsNamed) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Set(graph, made.at, 1, {});
  ASSERT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), ElementsAre("memory.use_after_free"));
}

TEST_P(GraphMemoryFindings, CopyNodeThatIsNotBeforeTheFreeIsNamed) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Set(graph, made.at, 1, {made.node});
  Free(graph, made.at, {made.node});
  CUgraphExec exec = Instantiate(graph);
  ASSERT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), ElementsAre("memory.use_after_free"));
}

TEST_P(GraphMemoryFindings, KernelNodeOutsideOfTheMemorysTimeIsNamed) {
  const CUdeviceptr from = OtherMemory();
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Kernel(graph, made.at, from, {});
  ASSERT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
  ASSERT_THAT(Outcome(), ElementsAre("memory.use_after_free"));
  EXPECT_THAT(fake_.Findings()[0].message, HasSubstr("no launch of its graph has allocated"));
}

TEST_P(GraphMemoryFindings, KernelNodeBetweenAllocationAndFreeIsQuiet) {
  const CUdeviceptr from = OtherMemory();
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  CUgraphNode kernel = Kernel(graph, made.at, from, {made.node});
  Free(graph, made.at, {kernel});
  CUgraphExec exec = Instantiate(graph);
  for (int launch = 0; launch < 2; ++launch) ASSERT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(GraphMemoryFindings, KernelPastTheEndIsNamed) {
  const CUdeviceptr from = OtherMemory();
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Kernel(graph, made.at + kBytes, from, {made.node});
  ASSERT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), ElementsAre("memory.out_of_bounds"));
}

// ---- Frees ----

TEST_P(GraphMemoryFindings, SecondFreeIsNamed) {
  const Leaving leaving = MakeLeaving();
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  ASSERT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Outcome(), ElementsAre("handle.double_destroy", "handle.double_destroy"));
}

TEST_P(GraphMemoryFindings, FreeOfWhatItsGraphFreesIsNamed) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Free(graph, made.at, {made.node});
  ASSERT_EQ(Launch(Instantiate(graph)), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeAsync(made.at, stream_), CUDA_ERROR_INVALID_VALUE);
  ASSERT_THAT(Outcome(), ElementsAre("handle.double_destroy"));
  EXPECT_THAT(fake_.Findings()[0].object, HasSubstr("cuGraphLaunch"));
}

TEST_P(GraphMemoryFindings, FreeOfWhatNoLaunchAllocatedIsNamed) {
  const Leaving leaving = MakeLeaving();
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_ERROR_INVALID_VALUE);
  ASSERT_THAT(Outcome(), ElementsAre("memory.invalid_free", "memory.invalid_free"));
  EXPECT_THAT(fake_.Findings()[0].message, HasSubstr("no launch of its graph has allocated"));
}

TEST_P(GraphMemoryFindings, SecondFreeNodeIsRefused) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Free(graph, made.at, {made.node});
  EXPECT_EQ(TryFree(graph, made.at, {made.node}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(), ElementsAre("memory.wrong_free"));
}

TEST_P(GraphMemoryFindings, FreeNodeInItsOwnGraphExcludesOthers) {
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  Free(graph, made.at, {made.node});
  EXPECT_EQ(TryFree(NewGraph(), made.at), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(), ElementsAre("memory.wrong_free"));
}

TEST_P(GraphMemoryFindings, FreeNodesInOtherGraphsExcludeOneInItsOwn) {
  const Leaving leaving = MakeLeaving();
  Free(NewGraph(), leaving.at);
  Free(NewGraph(), leaving.at);
  ASSERT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(TryFree(leaving.graph, leaving.at), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(), ElementsAre("memory.wrong_free"));
}

TEST_P(GraphMemoryFindings, FreeNodeOfOtherMemoryIsRefused) {
  CUdeviceptr of_pool = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&of_pool, kBytes, stream_), CUDA_SUCCESS);
  EXPECT_EQ(TryFree(NewGraph(), of_pool), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(TryFree(NewGraph(), MakeLeaving().at + 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(TryFree(NewGraph(), 0x77), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(Rules(),
              ElementsAre("memory.wrong_free", "memory.invalid_free", "memory.invalid_free"));
}

// ---- Order between streams ----

TEST_P(GraphMemoryFindings, UseInAnotherStreamWithoutAnEdgeIsNamed) {
  CUstream other = NewStream();
  const Leaving leaving = MakeLeaving();
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(leaving.at, 0, 1, other), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), Contains("memory.race_between_streams"));
}

TEST_P(GraphMemoryFindings, FreeInAnotherStreamWithoutAnEdgeIsNamed) {
  CUstream other = NewStream();
  const Leaving leaving = MakeLeaving();
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, other), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), ElementsAre("memory.freed_busy"));
}

TEST_P(GraphMemoryFindings, NextLaunchThatFreesWhatAnotherStreamUsesIsNamed) {
  CUstream other = NewStream();
  const Leaving leaving = MakeLeaving(7, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(event, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other, event, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(leaving.at, 0, 1, other), CUDA_SUCCESS);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), Contains("memory.freed_busy"));
}

TEST_P(GraphMemoryFindings, UseAndFreeBehindEventsAreQuiet) {
  CUstream use = NewStream();
  CUstream free = NewStream();
  const Leaving leaving = MakeLeaving();
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
    CUevent event = NewEvent();
    ASSERT_EQ(cu.cuEventRecord(event, stream_), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamWaitEvent(use, event, 0), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemsetD8Async(leaving.at, 0, 1, use), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuEventRecord(event, use), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamWaitEvent(free, event, 0), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, free), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuEventRecord(event, free), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamWaitEvent(stream_, event, 0), CUDA_SUCCESS);
  }
  EXPECT_THAT(Outcome(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Policies, GraphMemoryFindings,
                         ::testing::Values("eager", "timed", "lazy", "random"),
                         [](const auto& info) { return std::string(info.param); });

// ---- At the end ----

class GraphMemoryLeaks : public GraphMemoryTest {
 protected:
  GraphMemoryLeaks() { Begin(); }

  void End(const Leaving& leaving) {
    ASSERT_EQ(cu.cuGraphExecDestroy(leaving.exec), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuGraphDestroy(leaving.graph), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamDestroy_v2(stream_), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuCtxDestroy_v2(context_), CUDA_SUCCESS);
    fake_.EndOfLife();
  }
};

TEST_F(GraphMemoryLeaks, WhatNobodyFreedIsNamed) {
  const Leaving leaving = MakeLeaving(7, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  End(leaving);
  ASSERT_THAT(Rules(), ElementsAre("leak.allocation"));
  EXPECT_THAT(fake_.Findings()[0].object, HasSubstr("cuGraphLaunch"));
}

TEST_F(GraphMemoryLeaks, WhatWasFreedOrNeverLaunchedIsQuiet) {
  const Leaving leaving = MakeLeaving();
  CUgraph unused = NewGraph();
  Allocate(unused);
  ASSERT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(leaving.at, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphDestroy(unused), CUDA_SUCCESS);
  End(leaving);
  EXPECT_THAT(Rules(), IsEmpty());
}

// An injected error hid the launch: nobody can know of what it left.
TEST_F(GraphMemoryLeaks, WhatALaunchLeftThatReportedAFailureIsQuiet) {
  const Leaving leaving = MakeLeaving();
  fake_.Inject({.entry = "cuGraphLaunch", .after = true, .result = CUDA_ERROR_UNKNOWN});
  ASSERT_EQ(Launch(leaving.exec), CUDA_ERROR_UNKNOWN);
  End(leaving);
  EXPECT_THAT(Rules(), IsEmpty());
}

// Bytes of an earlier launch are not kept.
TEST_F(GraphMemoryLeaks, WhatThisLaunchDidNotWriteIsUninitialised) {
  Start({{"policy", "timed"}, {"checks", {{"uninitialized", true}}}});
  context_ = NewContext();
  stream_ = NewStream();
  CUmodule module = nullptr;
  ASSERT_EQ(cu.cuModuleLoadData(&module, kKernel), CUDA_SUCCESS);
  CUfunction function = nullptr;
  ASSERT_EQ(cu.cuModuleGetFunction(&function, module, "copy"), CUDA_SUCCESS);
  CUgraph graph = NewGraph();
  const Made made = Allocate(graph);
  CUgraphExec exec = Instantiate(graph);
  CUdeviceptr from = made.at;
  CUdeviceptr to = made.at + 8;
  void* parameters[] = {&to, &from};
  for (const bool writes : {true, false}) {
    ASSERT_EQ(Launch(exec), CUDA_SUCCESS);
    if (writes) {
      ASSERT_EQ(cu.cuMemsetD8Async(from, 1, 4, stream_), CUDA_SUCCESS);
    }
    ASSERT_EQ(cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr),
              CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemFreeAsync(made.at, stream_), CUDA_SUCCESS);
    Synchronize();
    ASSERT_EQ(Rules().empty(), writes);
  }
  EXPECT_THAT(Rules(), ElementsAre("memory.uninitialized_read"));
}

}  // namespace
}  // namespace culprit::fakedriver
