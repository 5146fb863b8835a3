// SPDX-License-Identifier: Apache-2.0
//
// Uses of the same bytes by two streams that nothing orders are named under every policy.
#include <string>

#include "fakedriver/handlers/testing/stream_races.h"

namespace culprit::fakedriver {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class UnorderedUses : public StreamRacesTest, public ::testing::WithParamInterface<const char*> {
 protected:
  UnorderedUses() { Begin(GetParam()); }
};

TEST_P(UnorderedUses, SetAndKernelWithoutAnEdgeAreNamed) {
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

TEST_P(UnorderedUses, CopyAndCopyWithoutAnEdgeAreNamed) {
  CUdeviceptr target = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&target, kBytes), CUDA_SUCCESS);
  void* source = nullptr;
  ASSERT_EQ(cu.cuMemAllocHost_v2(&source, kBytes), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyHtoDAsync_v2(data_, source, kBytes, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoDAsync_v2(target, data_, kBytes, other_), CUDA_SUCCESS);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, KernelAndKernelWithoutAnEdgeAreNamed) {
  Launch("fill", one_);
  Launch("sum", other_, kThreads - 1);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, AtomicAndPlainUseAreNamed) {
  Launch("count", one_);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

// CUDA driver API, API synchronization behavior: sets of device memory return before they are done.
TEST_P(UnorderedUses, SetOfTheDefaultStreamAndNonBlockingStreamAreNamed) {
  ASSERT_EQ(cu.cuMemsetD8_v2(data_, 0, kBytes), CUDA_SUCCESS);
  Launch("sum", one_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, CopyWithinTheDeviceAndNonBlockingStreamAreNamed) {
  CUdeviceptr source = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&source, kBytes), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoD_v2(data_, source, kBytes), CUDA_SUCCESS);
  Launch("sum", one_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, EventRecordedTooEarlyIsNoEdge) {
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(event, one_), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuStreamWaitEvent(other_, event, 0), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, WaitInAThirdStreamIsNoEdge) {
  CUevent event = NewEvent();
  CUstream third = NewStream();
  Set(one_);
  ASSERT_EQ(cu.cuEventRecord(event, one_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(third, event, 0), CUDA_SUCCESS);
  Launch("sum", other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, PerThreadDefaultStreamsOfTwoThreadsAreNamed) {
  CUcontext context = Current();
  ASSERT_EQ(cu.cuMemsetD8Async_ptsz(data_, 0, kBytes, nullptr), CUDA_SUCCESS);
  OnAnotherThread([&] {
    EXPECT_EQ(cu.cuCtxSetCurrent(context), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD8Async_ptsz(data_, 1, kBytes, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  });
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, TheSameTwoPlacesAreOneFinding) {
  for (int frame = 0; frame < 3; ++frame) {
    Set(one_);
    Launch("sum", other_);
    ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  }
  ASSERT_THAT(Rules(), ElementsAre(kRace));
  EXPECT_EQ(fake_.Findings()[0].count, 3u);
}

TEST_P(UnorderedUses, UseOfAnAllocationThatIsNotBehindItIsNamed) {
  ASSERT_EQ(cu.cuMemAllocAsync(&data_, kBytes, one_), CUDA_SUCCESS);
  Set(other_);
  EXPECT_THAT(Outcome(), ElementsAre(kRace));
}

TEST_P(UnorderedUses, FreeThatIsNotBehindTheUseIsNamed) {
  ASSERT_EQ(cu.cuMemAllocAsync(&data_, kBytes, one_), CUDA_SUCCESS);
  Set(one_);
  ASSERT_EQ(cu.cuMemFreeAsync(data_, other_), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(other_), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("memory.freed_busy"));
}

TEST_P(UnorderedUses, GraphAndStreamWithoutAnEdgeAreNamed) {
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

INSTANTIATE_TEST_SUITE_P(Policies, UnorderedUses,
                         ::testing::Values("eager", "timed", "lazy", "random"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace culprit::fakedriver
