// SPDX-License-Identifier: Apache-2.0
//
// Uses of the same bytes by two streams: named where nothing orders them, under every policy, and
// quiet behind every edge that the interface promises.
#include <atomic>
#include <cstdint>
#include <string>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint32_t kWords = 1024;
constexpr size_t kBytes = kWords * sizeof(uint32_t);
constexpr uint32_t kThreads = 64;

// `fill` stores and `sum` reads the words first, first + step, ...; `count` adds atomically to the
// first word; `wait` polls a word before it reads the next one.
constexpr const char* kKernels = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry fill(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b32 %r<5>; .reg .b64 %a<3>;
  ld.param.u64 %a0, [data]; ld.param.u32 %r0, [first]; ld.param.u32 %r1, [step];
  mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r2, %r1, %r0;
  mul.wide.u32 %a1, %r3, 4; add.u64 %a2, %a0, %a1;
  st.global.u32 [%a2], %r2;
  ret;
}
.visible .entry sum(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b32 %r<6>; .reg .b64 %a<3>;
  ld.param.u64 %a0, [data]; ld.param.u32 %r0, [first]; ld.param.u32 %r1, [step];
  mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r2, %r1, %r0;
  mul.wide.u32 %a1, %r3, 4; add.u64 %a2, %a0, %a1;
  ld.global.u32 %r4, [%a2];
  ret;
}
.visible .entry count(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b64 %a<1>;
  ld.param.u64 %a0, [data];
  red.global.add.u32 [%a0], 1;
  ret;
}
.visible .entry wait(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b32 %r<3>; .reg .b64 %a<1>; .reg .pred %p<1>;
  ld.param.u64 %a0, [data];
AGAIN:
  ld.volatile.global.u32 %r0, [%a0];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra AGAIN;
  ld.global.u32 %r1, [%a0+4];
  ret;
}
)";

class StreamRacesTest : public testing::DriverTest {
 protected:
  void Begin(const char* policy) {
    Start({{"policy", policy}, {"idle_drain_ms", 0}});
    NewContext();
    ASSERT_EQ(cu.cuModuleLoadData(&module_, kKernels), CUDA_SUCCESS);
    one_ = NewStream();
    other_ = NewStream();
    ASSERT_EQ(cu.cuMemAlloc_v2(&data_, kBytes), CUDA_SUCCESS);
  }

  void Launch(const char* kernel, CUstream stream, uint32_t first = 0, uint32_t step = 1) {
    CUfunction function = nullptr;
    ASSERT_EQ(cu.cuModuleGetFunction(&function, module_, kernel), CUDA_SUCCESS);
    void* parameters[] = {&data_, &first, &step};
    ASSERT_EQ(cu.cuLaunchKernel(function, 1, 1, 1, kThreads, 1, 1, 0, stream, parameters, nullptr),
              CUDA_SUCCESS);
  }
  void Set(CUstream stream) {
    ASSERT_EQ(cu.cuMemsetD8Async(data_, 0, kBytes, stream), CUDA_SUCCESS);
  }

  // What came of it once everything has run.
  std::vector<std::string> Outcome() {
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    return Rules();
  }

  CUmodule module_ = nullptr;
  CUstream one_ = nullptr;
  CUstream other_ = nullptr;
  CUdeviceptr data_ = 0;
};

class UnderEachPolicy : public StreamRacesTest, public ::testing::WithParamInterface<const char*> {
 protected:
  UnderEachPolicy() { Begin(GetParam()); }
};

constexpr const char* kRace = "memory.race_between_streams";

// ---- Named ----

TEST_P(UnderEachPolicy, SetAndKernelWithoutAnEdgeAreNamed) {
  Set(one_);
  Launch("sum", other_, 8);
  ASSERT_THAT(Outcome(), ElementsAre(kRace));
  const Finding finding = fake_.Findings()[0];
  EXPECT_EQ(finding.severity, "error");
  EXPECT_EQ(finding.entry, "cuLaunchKernel");
  EXPECT_NE(finding.location, "");
  EXPECT_THAT(finding.object, AllOf(HasSubstr("cuMemAlloc_v2"), HasSubstr("4096 bytes")));
  EXPECT_THAT(finding.message, AllOf(HasSubstr("a kernel reads them in stream"),
                                     HasSubstr("a transfer writes them in stream")));
  EXPECT_EQ(finding.details.at("bytes"), "32 to 287");
  EXPECT_EQ(finding.details.at("kernel"), "sum");
  EXPECT_THAT(finding.details.at("other call").get<std::string>(), HasSubstr("(cuMemsetD8Async)"));
  EXPECT_NE(finding.details.at("other location"), "");
  EXPECT_NE(finding.details.at("stream"), finding.details.at("other stream"));
}

TEST_P(UnderEachPolicy, CopyAndCopyWithoutAnEdgeAreNamed) {
  CUdeviceptr target = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&target, kBytes), CUDA_SUCCESS);
  void* source = nullptr;
  ASSERT_EQ(cu.cuMemAllocHost_v2(&source, kBytes), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyHtoDAsync_v2(data_, source, kBytes, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoDAsync_v2(target, data_, kBytes, other_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, KernelAndKernelWithoutAnEdgeAreNamed) {
  Launch("fill", one_);
  Launch("sum", other_, kThreads - 1);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, AtomicAndPlainUseAreNamed) {
  Launch("count", one_);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

// CUDA driver API, API synchronization behavior: sets of device memory return before they are done.
TEST_P(UnderEachPolicy, SetOfTheDefaultStreamAndNonBlockingStreamAreNamed) {
  ASSERT_EQ(cu.cuMemsetD8_v2(data_, 0, kBytes), CUDA_SUCCESS);
  Launch("sum", one_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, CopyWithinTheDeviceAndNonBlockingStreamAreNamed) {
  CUdeviceptr source = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&source, kBytes), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoD_v2(data_, source, kBytes), CUDA_SUCCESS);
  Launch("sum", one_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, EventRecordedTooEarlyIsNoEdge) {
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(event, one_), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, event, 0), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, WaitInAThirdStreamIsNoEdge) {
  CUevent event = NewEvent();
  CUstream third = NewStream();
  Set(one_);
  ASSERT_EQ(cu.cuEventRecord(event, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(third, event, 0), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, PerThreadDefaultStreamsOfTwoThreadsAreNamed) {
  CUcontext context = Current();
  ASSERT_EQ(cu.cuMemsetD8Async_ptsz(data_, 0, kBytes, nullptr), CUDA_SUCCESS);
  OnAnotherThread([&] {
    EXPECT_EQ(cu.cuCtxSetCurrent(context), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD8Async_ptsz(data_, 1, kBytes, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  });
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, TheSameTwoPlacesAreOneFinding) {
  for (int frame = 0; frame < 3; ++frame) {
    Set(one_);
    Launch("sum", other_);
    ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  }
  ASSERT_THAT(Rules(), ElementsAre(kRace));
  EXPECT_EQ(fake_.Findings()[0].count, 3u);
}

TEST_P(UnderEachPolicy, UseOfAnAllocationThatIsNotBehindItIsNamed) {
  ASSERT_EQ(cu.cuMemAllocAsync(&data_, kBytes, one_), CUDA_SUCCESS);
  Set(other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnderEachPolicy, FreeThatIsNotBehindTheUseIsNamed) {
  ASSERT_EQ(cu.cuMemAllocAsync(&data_, kBytes, one_), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuMemFreeAsync(data_, other_), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(other_), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("memory.freed_busy"));
}

TEST_P(UnderEachPolicy, GraphAndStreamWithoutAnEdgeAreNamed) {
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  ASSERT_EQ(cu.cuStreamBeginCapture_v2(one_, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuStreamEndCapture(one_, &graph), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphLaunch(exec, one_), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

// ---- Quiet ----

TEST_P(UnderEachPolicy, EventAndWaitAreAnEdge) {
  CUevent event = NewEvent();
  Set(one_);
  ASSERT_EQ(cu.cuEventRecord(event, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, event, 0), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, EventsThroughAThirdStreamAreAnEdge) {
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

TEST_P(UnderEachPolicy, WaitsOfTheHostAreEdges) {
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

TEST_P(UnderEachPolicy, SuccessfulQueriesAreEdges) {
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

TEST_P(UnderEachPolicy, BlockingStreamsTakeTurnsWithTheDefaultStream) {
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

TEST_P(UnderEachPolicy, PerThreadDefaultStreamsTakeTurnsWithTheLegacyOne) {
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

TEST_P(UnderEachPolicy, SynchronousCopiesAreEdges) {
  std::vector<uint32_t> host(kWords);
  ASSERT_EQ(cu.cuMemcpyHtoD_v2(data_, host.data(), kBytes), CUDA_SUCCESS);
  Launch("fill", one_);
  ASSERT_EQ(cu.cuMemcpyDtoHAsync_v2(host.data(), data_, kBytes, one_), CUDA_SUCCESS);
  Launch("fill", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, SetOfHostMemoryInTheDefaultStreamIsWaitedFor) {
  void* block = nullptr;
  ASSERT_EQ(cu.cuMemAllocHost_v2(&block, kBytes), CUDA_SUCCESS);
  data_ = reinterpret_cast<CUdeviceptr>(block);
  Set(CU_STREAM_LEGACY);
  ASSERT_EQ(cu.cuMemsetD8_v2(data_, 0, kBytes), CUDA_SUCCESS);
  Launch("sum", one_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, OtherBytesOfOneAllocationAreNoRace) {
  Launch("fill", one_, 0, 2);
  Launch("fill", other_, 1, 2);
  ASSERT_EQ(cu.cuMemsetD8Async(data_ + 2 * kThreads * 4, 0, 1, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(data_ + 2 * kThreads * 4 + 1, 0, 1, other_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, RowsBesideEachOtherAreNoRace) {
  ASSERT_EQ(cu.cuMemsetD2D8Async(data_, 64, 0, 32, 16, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD2D8Async(data_ + 32, 64, 0, 32, 16, other_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, ReadsAndAtomicsAmongThemselvesAreNoRace) {
  Launch("sum", one_);
  Launch("sum", other_);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  Launch("count", one_);
  Launch("count", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, StreamOrderedMemoryBehindEventsIsQuiet) {
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

TEST_P(UnderEachPolicy, BranchesOfACaptureAndLaunchesOfOneGraphAreOrdered) {
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

TEST_P(UnderEachPolicy, EventsOfAContextAreEdges) {
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
TEST_P(UnderEachPolicy, HostFunctionTellsTheHost) {
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

TEST_P(UnderEachPolicy, WaitForAValueThatAnotherStreamWritesIsAnEdge) {
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

TEST_P(UnderEachPolicy, KernelThatPollsIsNotJudged) {
  ASSERT_EQ(cu.cuMemsetD32_v2(data_, 1, kWords), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD32Async(data_, 1, 2, one_), CUDA_SUCCESS);
  Launch("wait", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, WaitOfOneThreadIsAnEdgeForAnother) {
  Set(one_);
  OnAnotherThread([&] { EXPECT_EQ(cu.cuStreamSynchronize(one_), CUDA_SUCCESS); });
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), IsEmpty());
}

TEST_P(UnderEachPolicy, StreamsThatComeAndGoAreForgotten) {
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
TEST_P(UnderEachPolicy, ContextsThatComeAndGoTakeTheirStreamsAlong) {
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

TEST_P(UnderEachPolicy, FreeAndNewMemoryOfTheSameSizeIsQuiet) {
  Set(one_);
  ASSERT_EQ(cu.cuMemFree_v2(data_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemAlloc_v2(&data_, kBytes), CUDA_SUCCESS);
  Launch("fill", other_);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  for (const std::string& rule : Rules()) EXPECT_NE(rule, kRace);
}

INSTANTIATE_TEST_SUITE_P(Policies, UnderEachPolicy,
                         ::testing::Values("eager", "timed", "lazy", "random"),
                         [](const auto& info) { return std::string(info.param); });

// ---- Switched off, and not there ----

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
