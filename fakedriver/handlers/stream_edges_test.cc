// SPDX-License-Identifier: Apache-2.0
//
// Uses of the same bytes by two streams are no race behind any edge that the interface promises,
// nor where they are no conflict, under every policy.
#include <atomic>
#include <string>

#include "fakedriver/handlers/testing/stream_races.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OrderedUses : public StreamRacesTest, public ::testing::WithParamInterface<const char*> {
 protected:
  OrderedUses() { Begin(GetParam()); }
};

TEST_P(OrderedUses, EventAndWaitAreAnEdge) {
  CUevent event = NewEvent();
  Set(one_);
  ASSERT_EQ(cu.cuEventRecord(event, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, event, 0), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, EventsThroughAThirdStreamAreAnEdge) {
  CUevent first = NewEvent();
  CUevent second = NewEvent();
  CUstream third = NewStream();
  Set(one_);
  ASSERT_EQ(cu.cuEventRecord(first, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(third, first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(second, third), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventDestroy_v2(first), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, second, 0), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, WaitsOfTheHostAreEdges) {
  CUevent event = NewEvent();
  Set(one_);
  ASSERT_EQ(cu.cuStreamSynchronize(one_), CUDA_SUCCESS);
  Launch("fill", other_);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuEventRecord(event, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventSynchronize(event), CUDA_SUCCESS);
  Launch("fill", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, SuccessfulQueriesAreEdges) {
  CUevent event = NewEvent();
  Set(one_);
  while (cu.cuStreamQuery(one_) == CUDA_ERROR_NOT_READY) {
  }
  Launch("fill", other_);
  ASSERT_EQ(cu.cuEventRecord(event, other_), CUDA_SUCCESS);
  while (cu.cuEventQuery(event) == CUDA_ERROR_NOT_READY) {
  }
  Set(one_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, BlockingStreamsTakeTurnsWithTheDefaultStream) {
  CUstream first = NewStream(CU_STREAM_DEFAULT);
  CUstream second = NewStream(CU_STREAM_DEFAULT);
  Set(first);
  Launch("fill", CU_STREAM_LEGACY);
  Launch("sum", second);
  ASSERT_EQ(cu.cuMemsetD8_v2(data_, 0, kBytes), CUDA_SUCCESS);
  Launch("sum", first);
  Launch("sum", second);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, PerThreadDefaultStreamsTakeTurnsWithTheLegacyOne) {
  CUcontext context = Current();
  ASSERT_EQ(cu.cuMemsetD8Async_ptsz(data_, 0, kBytes, nullptr), CUDA_SUCCESS);
  Set(CU_STREAM_LEGACY);
  OnAnotherThread([&] {
    EXPECT_EQ(cu.cuCtxSetCurrent(context), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD8Async_ptsz(data_, 1, kBytes, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  });
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, SynchronousCopiesAreEdges) {
  std::vector<uint32_t> host(kWords);
  ASSERT_EQ(cu.cuMemcpyHtoD_v2(data_, host.data(), kBytes), CUDA_SUCCESS);
  Launch("fill", one_);
  ASSERT_EQ(cu.cuMemcpyDtoHAsync_v2(host.data(), data_, kBytes, one_), CUDA_SUCCESS);
  Launch("fill", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, SetOfHostMemoryInTheDefaultStreamIsWaitedFor) {
  void* block = nullptr;
  ASSERT_EQ(cu.cuMemAllocHost_v2(&block, kBytes), CUDA_SUCCESS);
  data_ = reinterpret_cast<CUdeviceptr>(block);
  Set(CU_STREAM_LEGACY);
  ASSERT_EQ(cu.cuMemsetD8_v2(data_, 0, kBytes), CUDA_SUCCESS);
  Launch("sum", one_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, OtherBytesOfOneAllocationAreNoRace) {
  Launch("fill", one_, 0, 2);
  Launch("fill", other_, 1, 2);
  ASSERT_EQ(cu.cuMemsetD8Async(data_ + 2 * kThreads * 4, 0, 1, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(data_ + 2 * kThreads * 4 + 1, 0, 1, other_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, RowsBesideEachOtherAreNoRace) {
  ASSERT_EQ(cu.cuMemsetD2D8Async(data_, 64, 0, 32, 16, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD2D8Async(data_ + 32, 64, 0, 32, 16, other_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, ReadsAndAtomicsAmongThemselvesAreNoRace) {
  Launch("sum", one_);
  Launch("sum", other_);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  Launch("count", one_);
  Launch("count", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, StreamOrderedMemoryBehindEventsIsQuiet) {
  CUevent allocated = NewEvent();
  CUevent used = NewEvent();
  ASSERT_EQ(cu.cuMemAllocAsync(&data_, kBytes, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(allocated, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, allocated, 0), CUDA_SUCCESS);
  Set(other_);
  ASSERT_EQ(cu.cuEventRecord(used, other_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(one_, used, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(data_, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemAllocAsync(&data_, kBytes, other_), CUDA_SUCCESS);
  Set(other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, BranchesOfACaptureAndLaunchesOfOneGraphAreOrdered) {
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUevent fork = NewEvent();
  CUevent join = NewEvent();
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(one_, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuEventRecord(fork, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, fork, 0), CUDA_SUCCESS);
  Launch("fill", other_);
  ASSERT_EQ(cu.cuEventRecord(join, other_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(one_, join, 0), CUDA_SUCCESS);
  Launch("sum", one_);
  ASSERT_EQ(cu.cuStreamEndCapture(one_, &graph), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphLaunch(exec, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphLaunch(exec, other_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, EventsOfAContextAreEdges) {
  CUevent event = NewEvent();
  Set(one_);
  ASSERT_EQ(cu.cuCtxRecordEvent(Current(), event), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, event, 0), CUDA_SUCCESS);
  Launch("fill", other_);
  ASSERT_EQ(cu.cuEventRecord(event, other_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxWaitEvent(Current(), event), CUDA_SUCCESS);
  Set(one_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

// What a host function says, the program's threads may act on.
TEST_P(OrderedUses, HostFunctionTellsTheHost) {
  std::atomic<bool> told{false};
  Set(one_);
  const auto tell = [](void* to) { static_cast<std::atomic<bool>*>(to)->store(true); };
  ASSERT_EQ(cu.cuLaunchHostFunc(one_, tell, &told), CUDA_SUCCESS);
  // Policies that postpone need somebody who asks: for what comes later, so that no answer is an
  // edge.
  const std::string policy = GetParam();
  const bool postpones = policy == "lazy" || policy == "random";
  CUdeviceptr elsewhere = 0;
  CUevent later = NewEvent();
  ASSERT_EQ(cu.cuMemAlloc_v2(&elsewhere, 1), CUDA_SUCCESS);
  for (int n = 0; postpones && n < 200; ++n) {
    ASSERT_EQ(cu.cuMemsetD8Async(elsewhere, 0, 1, one_), CUDA_SUCCESS);
  }
  ASSERT_EQ(cu.cuEventRecord(later, one_), CUDA_SUCCESS);
  while (!told) {
    if (!postpones) continue;
    ASSERT_EQ(cu.cuEventQuery(later), CUDA_ERROR_NOT_READY);
  }
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, WaitForAValueThatAnotherStreamWritesIsAnEdge) {
  CUdeviceptr word = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&word, 4), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD32_v2(word, 0, 1), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuStreamWriteValue32(one_, word, 1, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitValue32(other_, word, 1, CU_STREAM_WAIT_VALUE_EQ), CUDA_SUCCESS);
  Launch("sum", other_);
  ASSERT_EQ(cu.cuStreamSynchronize(one_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, KernelThatPollsIsNotJudged) {
  ASSERT_EQ(cu.cuMemsetD32_v2(data_, 1, kWords), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD32Async(data_, 1, 2, one_), CUDA_SUCCESS);
  Launch("wait", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, WaitOfOneThreadIsAnEdgeForAnother) {
  Set(one_);
  OnAnotherThread([&] { EXPECT_EQ(cu.cuStreamSynchronize(one_), CUDA_SUCCESS); });
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(OrderedUses, StreamsThatComeAndGoAreForgotten) {
  for (int round = 0; round < 50; ++round) {
    CUstream stream = NewStream();
    Set(stream);
    ASSERT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    Launch("fill", other_);
    ASSERT_EQ(cu.cuStreamSynchronize(other_), CUDA_SUCCESS);
  }
  EXPECT_THAT(Outcome(), IsEmpty());
}

// Its end waits for its work; memory of a pool outlives it, and may be used under another one.
TEST_P(OrderedUses, ContextsThatComeAndGoTakeTheirStreamsAlong) {
  for (int round = 0; round < 20; ++round) {
    CUcontext context = NewContext();
    CUstream stream = NewStream();
    CUdeviceptr memory = 0;
    ASSERT_EQ(cu.cuMemAllocAsync(&memory, kBytes, stream), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, kBytes, stream), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemsetD8Async(memory, 2, kBytes, other_), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamSynchronize(other_), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemFree_v2(memory), CUDA_SUCCESS);
  }
  EXPECT_THAT(Outcome(), IsEmpty());
  Set(one_);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(OrderedUses, FreeAndNewMemoryOfTheSameSizeIsQuiet) {
  Set(one_);
  ASSERT_EQ(cu.cuMemFree_v2(data_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemAlloc_v2(&data_, kBytes), CUDA_SUCCESS);
  Launch("fill", other_);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  for (const std::string& rule : Rules()) EXPECT_NE(rule, kRace);
}

INSTANTIATE_TEST_SUITE_P(Policies, OrderedUses,
                         ::testing::Values("eager", "timed", "lazy", "random"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(StreamRacesTest, TheCheckCanBeSwitchedOff) {
  fake_.Configure({{"checks", {{"stream_races", false}}}});
  Begin("timed");
  Set(one_);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
  fake_.Reset();
  fake_.Configure({{"checks", {{"stream_races", true}}}});
}

TEST_F(StreamRacesTest, OneStreamRacesWithNobody) {
  Start();
  NewContext();
  ASSERT_EQ(cu.cuModuleLoadData(&module_, kKernels), CUDA_SUCCESS);
  one_ = NewStream();
  ASSERT_EQ(cu.cuMemAlloc_v2(&data_, kBytes), CUDA_SUCCESS);
  Set(one_);
  Launch("fill", one_);
  Launch("sum", one_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

}  // namespace
}  // namespace culprit::fakedriver
