// SPDX-License-Identifier: Apache-2.0
//
// Stream-ordered memory in a capture becomes nodes; what graphs hold of a device is told and can
// be trimmed.
#include "fakedriver/handlers/testing/graph_memory_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using testing::GraphMemoryTest;
using testing::GraphMemoryUnderEachPolicy;
using ::testing::IsEmpty;
using testing::kBytes;

constexpr uint64_t kMiB = uint64_t{1} << 20;

class CapturedMemory : public GraphMemoryUnderEachPolicy {
 protected:
  void BeginCapture() {
    ASSERT_EQ(cu.cuStreamBeginCapture_v2(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  }
  CUgraph EndCapture() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuStreamEndCapture(stream_, &graph), CUDA_SUCCESS);
    return graph;
  }
  std::vector<CUgraphNodeType> TypesOf(CUgraph graph) {
    size_t count = 0;
    EXPECT_EQ(cu.cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
    Nodes nodes(count);
    EXPECT_EQ(cu.cuGraphGetNodes(graph, nodes.data(), &count), CUDA_SUCCESS);
    std::vector<CUgraphNodeType> types(count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(cu.cuGraphNodeGetType(nodes[i], &types[i]), CUDA_SUCCESS);
    }
    return types;
  }
};

TEST_P(CapturedMemory, BecomesNodes) {
  BeginCapture();
  CUdeviceptr at = 0;
  EXPECT_EQ(cu.cuMemAllocAsync(&at, kBytes, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemsetD8Async(at, 3, kBytes, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeAsync(at, stream_), CUDA_SUCCESS);
  CUgraph graph = EndCapture();
  EXPECT_THAT(TypesOf(graph), ElementsAre(CU_GRAPH_NODE_TYPE_MEM_ALLOC, CU_GRAPH_NODE_TYPE_MEMSET,
                                          CU_GRAPH_NODE_TYPE_MEM_FREE));
  EXPECT_EQ(fake_.Live().allocations, 0u);
  CUgraphExec exec = Instantiate(graph);
  for (int launch = 0; launch < 2; ++launch) EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(fake_.Live().allocations, 0u);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(CapturedMemory, OfAPoolIsOfItsDevice) {
  CUmemoryPool pool = nullptr;
  ASSERT_EQ(cu.cuDeviceGetDefaultMemPool(&pool, 0), CUDA_SUCCESS);
  BeginCapture();
  CUdeviceptr at = 0;
  EXPECT_EQ(cu.cuMemAllocFromPoolAsync(&at, kBytes, pool, stream_), CUDA_SUCCESS);
  CUgraph graph = EndCapture();
  size_t count = 1;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphGetNodes(graph, &node, &count), CUDA_SUCCESS);
  CUDA_MEM_ALLOC_NODE_PARAMS params{};
  ASSERT_EQ(cu.cuGraphMemAllocNodeGetParams(node, &params), CUDA_SUCCESS);
  EXPECT_EQ(params.dptr, at);
  EXPECT_EQ(params.bytesize, kBytes);
  EXPECT_EQ(params.poolProps.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(params.poolProps.location.id, 0);
  cuuint64_t used = 1;
  EXPECT_EQ(cu.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used), CUDA_SUCCESS);
  EXPECT_EQ(used, 0u);
}

// A consumer may be captured before the producer runs, and used after each of its launches.
TEST_P(CapturedMemory, MayBeUsedByGraphsCapturedBeforeItIsThere) {
  const Leaving producer = MakeLeaving(7, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  CUdeviceptr result = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&result, kBytes), CUDA_SUCCESS);
  BeginCapture();
  EXPECT_EQ(cu.cuMemcpyDtoDAsync_v2(result, producer.at, kBytes, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamWriteValue32_v2(stream_, producer.at, 1, 0), CUDA_SUCCESS);
  CUgraphExec consumer = Instantiate(EndCapture());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Launch(producer.exec), CUDA_SUCCESS);
    EXPECT_EQ(Launch(consumer), CUDA_SUCCESS);
  }
  Synchronize();
  EXPECT_EQ(FirstByte(result), 7);
  EXPECT_EQ(FirstByte(producer.at), 1);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_P(CapturedMemory, OtherMemoryCannotBeFreedThere) {
  CUdeviceptr of_pool = 0;
  CUdeviceptr plain = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&of_pool, kBytes, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemAlloc_v2(&plain, kBytes), CUDA_SUCCESS);
  BeginCapture();
  EXPECT_EQ(cu.cuMemFreeAsync(of_pool, stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemFreeAsync(plain, stream_), CUDA_ERROR_INVALID_VALUE);
  EndCapture();
  EXPECT_THAT(Rules(), ElementsAre("memory.wrong_free", "memory.wrong_free"));
  EXPECT_EQ(cu.cuMemFreeAsync(of_pool, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree_v2(plain), CUDA_SUCCESS);
}

TEST_P(CapturedMemory, OfASpoiledCaptureIsRefused) {
  BeginCapture();
  EXPECT_EQ(cu.cuStreamSynchronize(stream_), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUdeviceptr at = 0;
  EXPECT_EQ(cu.cuMemAllocAsync(&at, kBytes, stream_), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(cu.cuMemFreeAsync(5, stream_), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CUgraph graph = nullptr;
  EXPECT_EQ(cu.cuStreamEndCapture(stream_, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

INSTANTIATE_TEST_SUITE_P(Policies, CapturedMemory,
                         ::testing::Values("eager", "timed", "lazy", "random"),
                         [](const auto& info) { return std::string(info.param); });

// ---- What graphs hold ----

class GraphMemoryNumbers : public GraphMemoryTest {
 protected:
  GraphMemoryNumbers() { Begin("lazy"); }

  uint64_t Reserved() { return Attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT); }
  size_t FreeBytes() {
    size_t free = 0;
    size_t total = 0;
    EXPECT_EQ(cu.cuMemGetInfo_v2(&free, &total), CUDA_SUCCESS);
    return free;
  }
  CUgraphExec MakePassing(size_t bytes) {
    CUgraph graph = NewGraph();
    const Made made = Allocate(graph, bytes);
    Free(graph, made.at, {made.node});
    return Instantiate(graph);
  }
};

TEST_F(GraphMemoryNumbers, GraphsOfOneStreamShare) {
  CUgraphExec one = MakePassing(64 * kMiB);
  CUgraphExec other = MakePassing(32 * kMiB);
  EXPECT_EQ(Reserved(), 0u);
  const size_t free = FreeBytes();
  for (CUgraphExec exec : {one, other, one}) EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_EQ(Reserved(), 64 * kMiB);
  EXPECT_EQ(FreeBytes(), free - 64 * kMiB);
  EXPECT_EQ(Launch(other, NewStream()), CUDA_SUCCESS);
  EXPECT_EQ(Reserved(), 96 * kMiB);
}

TEST_F(GraphMemoryNumbers, TrimGivesBackWhatNoLaunchNeeds) {
  const size_t free = FreeBytes();
  CUgraphExec exec = MakePassing(64 * kMiB);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  EXPECT_EQ(Reserved(), 64 * kMiB);
  Synchronize();
  EXPECT_EQ(Reserved(), 64 * kMiB);
  EXPECT_EQ(cu.cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  EXPECT_EQ(Reserved(), 0u);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0u);
  EXPECT_EQ(FreeBytes(), free);
}

TEST_F(GraphMemoryNumbers, TrimKeepsWhatIsNotFreed) {
  const Leaving leaving = MakeLeaving(7, 0, 64 * kMiB);
  EXPECT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(cu.cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  EXPECT_EQ(Reserved(), 64 * kMiB);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 64 * kMiB);
  EXPECT_EQ(cu.cuMemFree_v2(leaving.at), CUDA_SUCCESS);
  EXPECT_EQ(Reserved(), 64 * kMiB);
  EXPECT_EQ(cu.cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  EXPECT_EQ(Reserved(), 0u);
}

// However many launches wait in a stream, they need no more than one.
TEST_F(GraphMemoryNumbers, LaunchThatFreesTheLastOnesMemoryNeedsNoMore) {
  const Leaving leaving =
      MakeLeaving(7, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, 64 * kMiB);
  for (int launch = 0; launch < 3; ++launch) EXPECT_EQ(Launch(leaving.exec), CUDA_SUCCESS);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), 64 * kMiB);
}

TEST_F(GraphMemoryNumbers, HighMarksCanOnlyBeReset) {
  CUgraphExec exec = MakePassing(64 * kMiB);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  Synchronize();
  EXPECT_EQ(cu.cuDeviceGraphMemTrim(0), CUDA_SUCCESS);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), 64 * kMiB);
  cuuint64_t value = 1;
  EXPECT_EQ(cu.cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &value),
            CUDA_ERROR_INVALID_VALUE);
  value = 0;
  EXPECT_EQ(cu.cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &value),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &value),
            CUDA_SUCCESS);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), 0u);
  EXPECT_EQ(cu.cuDeviceGraphMemTrim(9), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cu.cuDeviceGetGraphMemAttribute(9, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &value),
            CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(GraphMemoryNumbers, LaunchThatDoesNotFitChangesNothing) {
  fake_.AddPlan("- {memory_budget: 64MiB, optional: true}\n");
  CUgraph graph = NewGraph();
  const CUdeviceptr at = Allocate(graph, 96 * kMiB).at;
  CUgraphExec exec = Instantiate(graph);
  EXPECT_EQ(Launch(exec), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Reserved(), 0u);
  EXPECT_EQ(fake_.Live().allocations, 0u);
  fake_.ClearFaults();
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree_v2(at), CUDA_SUCCESS);
}

// Of two devices the second refuses; the first is as it was.
TEST_F(GraphMemoryNumbers, LaunchThatOneDeviceRefusesTakesNothingOfTheOther) {
  Start({{"policy", "timed"}, {"devices", "2"}});
  NewContext();
  stream_ = NewStream();
  CUgraph graph = NewGraph();
  const Made stays = Allocate(graph, 64 * kMiB);
  const Made passes = Allocate(graph, 64 * kMiB);
  Free(graph, passes.at, {passes.node});
  CUDA_MEM_ALLOC_NODE_PARAMS params = Params(256 * kMiB);
  params.poolProps.location.id = 1;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), CUDA_SUCCESS);
  CUgraphExec exec = Instantiate(graph);
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(cu.cuMemGetInfo_v2(&free, &total), CUDA_SUCCESS);
  fake_.AddPlan("- {memory_budget: 192MiB, optional: true}\n");
  EXPECT_EQ(Launch(exec), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0u);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), 0u);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0u);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), 0u);
  fake_.ClearFaults();
  size_t now = 0;
  ASSERT_EQ(cu.cuMemGetInfo_v2(&now, &total), CUDA_SUCCESS);
  EXPECT_EQ(now, free);
  EXPECT_EQ(Launch(exec), CUDA_SUCCESS);
  EXPECT_EQ(Attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 128 * kMiB);
  EXPECT_EQ(cu.cuMemFree_v2(stays.at), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree_v2(params.dptr), CUDA_SUCCESS);
}

}  // namespace
}  // namespace culprit::fakedriver
