// SPDX-License-Identifier: Apache-2.0
//
// Memory, streams and events: what is freed or destroyed, when, and under which context.
#include "fakedriver/handlers/testing/reported_misuse.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

// ---- A free answers what its documentation does not list (Netflix/vmaf issue 1381) ----

TEST_F(ReportedMisuse, FreeThatIsRefusedLeavesOneAllocation) {
  CUcontext context = NewContext();
  CUstream stream = NewStream();
  CUdeviceptr planes[3] = {NewMemory(), NewMemory(), NewMemory()};
  fake_.Inject({.entry = "cuMemFreeAsync", .result = CUDA_ERROR_OUT_OF_MEMORY});
  EXPECT_EQ(cu.cuMemFreeAsync(planes[0], stream), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.cuMemFreeAsync(planes[1], stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeAsync(planes[2], stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().allocations, 1u);
  EXPECT_EQ(cu.cuMemFree_v2(planes[0]), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), IsEmpty());
}

// ---- A free on a stream that is gone, or is now another one (cupy/cupy PR 5264) ----

TEST_F(ReportedMisuse, FreeOnAStreamThatWasDestroyedIsNamed) {
  NewContext();
  CUstream stream = NewStream();
  CUdeviceptr memory = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&memory, 4096, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_NE(cu.cuMemFreeAsync(memory, stream), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), IsSupersetOf({"handle.destroyed", "leak.allocation"}));
}

// ---- Freed without a context (NVIDIA/cuda-python issue 2497) ----

TEST_F(ReportedMisuse, FreeOnATokenWithoutAContextFreesNothing) {
  CUcontext context = NewContext();
  CUdeviceptr memory = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&memory, 4096, CU_STREAM_LEGACY), CUDA_SUCCESS);
  OnAnotherThread(
      [&] { EXPECT_EQ(cu.cuMemFreeAsync(memory, CU_STREAM_LEGACY), CUDA_ERROR_INVALID_CONTEXT); });
  EXPECT_EQ(fake_.Live().allocations, 1u);
  OnAnotherThread([&] {
    EXPECT_EQ(cu.cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemFreeAsync(memory, CU_STREAM_LEGACY), CUDA_SUCCESS);
    CUcontext popped = nullptr;
    EXPECT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  });
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), IsEmpty());
}

// The free of the second thread's token is not ordered after the work of the first thread's.
TEST_F(ReportedMisuse, FreeInStreamOrderThatNothingOrdersAfterTheUseIsNamed) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUstream used_on = NewStream();
  CUstream freed_on = NewStream();
  CUdeviceptr memory = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&memory, 4096, used_on), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, 4096, used_on), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(memory, freed_on), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(freed_on), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("memory.freed_busy"));
}

TEST_F(ReportedMisuse, FreeInStreamOrderBehindAnEventIsQuiet) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUstream used_on = NewStream();
  CUstream freed_on = NewStream();
  CUevent event = NewEvent();
  CUdeviceptr memory = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&memory, 4096, used_on), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, 4096, used_on), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(event, used_on), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(freed_on, event, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemFreeAsync(memory, freed_on), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(freed_on), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

// ---- A token cached with the first context it met (NVIDIA/cuda-python issue 2485) ----

TEST_F(ReportedMisuse, EventOfTheContextATokenWasCachedWithIsRefused) {
  Start({{"devices", "2"}});
  CUcontext first = Retain(0);
  CUcontext second = Retain(1);
  CUcontext owner = nullptr;
  EXPECT_EQ(cu.cuStreamGetCtx(CU_STREAM_LEGACY, &owner), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(cu.cuCtxSetCurrent(first), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamGetCtx(CU_STREAM_LEGACY, &owner), CUDA_SUCCESS);
  EXPECT_EQ(owner, first);
  CUevent cached = NewEvent();
  ASSERT_EQ(cu.cuCtxSetCurrent(second), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventRecord(cached, CU_STREAM_LEGACY), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventRecord(NewEvent(), CU_STREAM_LEGACY), CUDA_SUCCESS);
}

// ---- Events that outlive their pool's device (iree-org/iree PR 14875) ----

TEST_F(ReportedMisuse, EventDestroyedAfterItsDeviceIsNamed) {
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(Retain()), CUDA_SUCCESS);
  CUevent taken = NewEvent();
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_NE(cu.cuEventDestroy_v2(taken), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("leak.reclaimed", "handle.context_gone"));
}

// ---- An event of one device in a stream of another (rapidsai/rmm issue 1306) ----

TEST_F(ReportedMisuse, EventOfAnotherDeviceIsRefusedAndAWaitForItIsNot) {
  Start({{"devices", "2"}});
  ASSERT_EQ(cu.cuCtxSetCurrent(Retain(0)), CUDA_SUCCESS);
  CUstream stream = NewStream();
  CUevent own = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(own, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSetCurrent(Retain(1)), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventRecord(NewEvent(), stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuStreamWaitEvent(NewStream(), own, 0), CUDA_SUCCESS);
}

// ---- Leftovers die on a thread that has no context (Xpra-org/xpra PR 4848) ----

TEST_F(ReportedMisuse, ReleasesOnAThreadWithoutAContextAreNamed) {
  CUcontext context = NewContext();
  CUdeviceptr memory = NewMemory();
  CUevent event = NewEvent();
  OnAnotherThread([&] {
    cu.cuMemFree_v2(memory);
    cu.cuEventDestroy_v2(event);
  });
  EXPECT_THAT(Rules(), Contains("context.missing_at_teardown"));
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
}

// ---- A free under a dead foreign context (chelsea0x3b/cudarc issue 160) ----

TEST_F(ReportedMisuse, FreeUnderAnotherDevicesDeadContextIsNamed) {
  Start({{"devices", "2"}});
  CUcontext first = Retain(0);
  ASSERT_EQ(cu.cuCtxSetCurrent(first), CUDA_SUCCESS);
  CUdeviceptr memory = NewMemory();
  ASSERT_EQ(cu.cuCtxSetCurrent(Retain(1)), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(1), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree_v2(memory), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_THAT(Rules(), Contains("primary.released_while_current"));
  ASSERT_EQ(cu.cuCtxSetCurrent(first), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree_v2(memory), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

// ---- Pinned memory freed while the device still writes it (openxla/xla issue 46093) ----

TEST_F(ReportedMisuse, PinnedMemoryFreedWithAFillPendingIsNamed) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUstream stream = NewStream();
  void* block = nullptr;
  ASSERT_EQ(cu.cuMemHostAlloc(&block, 4096, CU_MEMHOSTALLOC_DEVICEMAP), CUDA_SUCCESS);
  CUdeviceptr seen_by_the_device = 0;
  ASSERT_EQ(cu.cuMemHostGetDevicePointer_v2(&seen_by_the_device, block, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD32Async(seen_by_the_device, 0, 1024, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeHost(block), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), Contains("memory.freed_busy"));
}

TEST_F(ReportedMisuse, PinnedMemoryFreedAfterAWaitIsQuiet) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUstream stream = NewStream();
  void* block = nullptr;
  ASSERT_EQ(cu.cuMemHostAlloc(&block, 4096, CU_MEMHOSTALLOC_DEVICEMAP), CUDA_SUCCESS);
  CUdeviceptr seen_by_the_device = 0;
  ASSERT_EQ(cu.cuMemHostGetDevicePointer_v2(&seen_by_the_device, block, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD32Async(seen_by_the_device, 0, 1024, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFreeHost(block), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

// ---- A recorded event may go at once (zama-ai/tfhe-rs PR 3186) ----

TEST_F(ReportedMisuse, EventDestroyedBehindItsWaitIsQuietAndKeepsTheOrder) {
  Start({{"policy", "lazy"}});
  NewContext();
  CUstream first = NewStream();
  CUstream second = NewStream();
  CUdeviceptr memory = NewMemory(4);
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, 4, first), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(event, first), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 2, 4, second), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(second), CUDA_SUCCESS);
  unsigned value = 0;
  ASSERT_EQ(cu.cuMemcpyDtoH_v2(&value, memory, 4), CUDA_SUCCESS);
  EXPECT_EQ(value, 0x02020202u);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(ReportedMisuse, WaitForAnEventThatWasDestroyedIsNamed) {
  NewContext();
  CUstream first = NewStream();
  CUstream second = NewStream();
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(event, first), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_NE(cu.cuStreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("handle.destroyed"));
}

}  // namespace
}  // namespace culprit::fakedriver
