// SPDX-License-Identifier: Apache-2.0
//
// Misuse of the driver API that was reported in public, each reduced to the calls that show it: it
// is named, and where the report says how the code was put right, the right code is quiet. What a
// library with an owner for every handle can be made to do wrong is a mutant of the reference
// instead (docs/mutants.md).
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr const char* kEmptyModule = ".version 7.0\n.target sm_50\n.address_size 64\n";

class ReportedMisuse : public testing::DriverTest {
 protected:
  ReportedMisuse() { Start(); }

  CUcontext Retain(CUdevice device = 0) {
    CUcontext context = nullptr;
    EXPECT_EQ(cu.cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
    return context;
  }
  CUdeviceptr NewMemory(size_t bytes = 4096) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cu.cuMemAlloc_v2(&memory, bytes), CUDA_SUCCESS);
    return memory;
  }
  std::vector<std::string> RulesAtTheEnd() {
    fake_.EndOfLife();
    return Rules();
  }
};

// ---- A device allocation fails between push and pop (Netflix/vmaf issue 1420) ----

TEST_F(ReportedMisuse, ReturnBetweenPushAndPopLeavesTheContextOnTheStack) {
  CUcontext primary = Retain();
  fake_.Inject({.entry = "cuMemAlloc_v2", .result = CUDA_ERROR_OUT_OF_MEMORY});
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(primary), CUDA_SUCCESS);
  CUdeviceptr memory = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&memory, 64), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(memory, 0u);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), Contains("context.stack_imbalance"));
}

TEST_F(ReportedMisuse, PopAfterAFailedAllocationIsQuiet) {
  CUcontext primary = Retain();
  fake_.Inject({.entry = "cuMemAlloc_v2", .result = CUDA_ERROR_OUT_OF_MEMORY});
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(primary), CUDA_SUCCESS);
  CUdeviceptr memory = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&memory, 64), CUDA_ERROR_OUT_OF_MEMORY);
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), IsEmpty());
}

// ---- Another owner hides what a cycle leaves behind (Netflix/vmaf issue 1300) ----

TEST_F(ReportedMisuse, WhatACycleLeavesIsNamedWhileAnotherOwnerRetains) {
  Retain();
  CUcontext primary = Retain();
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(primary), CUDA_SUCCESS);
  NewStream();
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().streams, 1u);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), ElementsAre("leak.reclaimed")) << "only the reset took it away";
}

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

// ---- Asking a dead context whether it is alive (openucx/ucx PR 4647, 10852, 11437) ----

TEST_F(ReportedMisuse, ProbeOfADeadContextAndCleanupInItAreNamed) {
  CUcontext context = NewContext();
  CUstream stream = NewStream();
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  unsigned long long id = 0;
  EXPECT_NE(cu.cuCtxGetId(context, &id), CUDA_SUCCESS);
  EXPECT_NE(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_NE(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsSupersetOf({"handle.destroyed", "handle.context_gone"}));
  EXPECT_THAT(Rules(), Not(Contains("leak.stream")));
}

// Where handles come back, the probe finds a context that never owned the stream.
TEST_F(ReportedMisuse, ANewContextAtTheOldAddressMakesTheStreamNoBetter) {
  Start({{"handle_reuse", "newest-first"}});
  CUcontext old_context = NewContext();
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuCtxDestroy_v2(old_context), CUDA_SUCCESS);
  CUcontext new_context = NewContext();
  for (int i = 0; i < 2 && new_context != old_context; ++i) new_context = NewContext();
  ASSERT_EQ(new_context, old_context) << "the case needs a handle that comes back";
  unsigned long long id = 0;
  EXPECT_EQ(cu.cuCtxGetId(old_context, &id), CUDA_SUCCESS);
  EXPECT_NE(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), Not(IsEmpty()));
}

// ---- The primary context is released and stays current (intel/llvm PR 8124) ----

TEST_F(ReportedMisuse, QueryThroughAReleasedPrimaryContextIsNamedAtBothCalls) {
  ASSERT_EQ(cu.cuCtxSetCurrent(Retain()), CUDA_SUCCESS);
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  ASSERT_EQ(cu.cuMemGetInfo_v2(&free_bytes, &total_bytes), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemGetInfo_v2(&free_bytes, &total_bytes), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_THAT(Rules(), ElementsAre("primary.released_while_current", "context.dead_current"));
}

TEST_F(ReportedMisuse, QueryThatPutsBackWhatWasCurrentIsQuiet) {
  for (int query = 0; query < 2; ++query) {
    ASSERT_EQ(Current(), nullptr);
    ASSERT_EQ(cu.cuCtxSetCurrent(Retain()), CUDA_SUCCESS);
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    ASSERT_EQ(cu.cuMemGetInfo_v2(&free_bytes, &total_bytes), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  }
  EXPECT_THAT(RulesAtTheEnd(), IsEmpty());
}

// ---- A failed creation leaves the old context popped (inducer/pycuda issue 335) ----

TEST_F(ReportedMisuse, ContextPoppedForACreationThatFailedIsLostWithItsMemory) {
  NewContext();
  NewMemory();
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  fake_.Inject({.entry = "cuCtxCreate_v4", .result = CUDA_ERROR_OUT_OF_MEMORY});
  CUcontext second = nullptr;
  ASSERT_EQ(cu.cuCtxCreate_v4(&second, nullptr, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(RulesAtTheEnd(),
              IsSupersetOf({"context.stack_underflow", "leak.context", "leak.allocation"}));
}

// ---- Unloading what never loaded (facebookresearch/TensorComprehensions PR 299) ----

TEST_F(ReportedMisuse, UnloadOfAModuleThatNeverLoadedIsRefused) {
  NewContext();
  CUmodule module = nullptr;
  ASSERT_NE(cu.cuModuleLoadData(&module, "this is no PTX"), CUDA_SUCCESS);
  ASSERT_EQ(module, nullptr);
  EXPECT_NE(cu.cuModuleUnload(module), CUDA_SUCCESS);
}

// ---- The entry without its version (hashcat/hashcat PR 4860) ----

TEST_F(ReportedMisuse, OldMemsetInANewContextIsNamed) {
  NewContext();
  CUdeviceptr memory = NewMemory();
  EXPECT_EQ(cu.cuMemsetD32(static_cast<CUdeviceptr_v1>(memory), 0, 16), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(Rules(), Contains("api.version_mix"));
}

// ---- One bad kernel, then everything fails (hashcat/hashcat issue 3476, 3965) ----

TEST_F(ReportedMisuse, EchoesOfADeviceErrorAreNoFindings) {
  CUcontext context = NewContext();
  CUstream stream = NewStream();
  CUevent event = NewEvent();
  fake_.Inject(
      {.entry = "cuEventSynchronize", .sticky = true, .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  fake_.Inject(
      {.entry = "cuStreamDestroy_v2", .sticky = true, .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  fake_.Inject(
      {.entry = "cuEventDestroy_v2", .sticky = true, .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  ASSERT_EQ(cu.cuEventRecord(event, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventSynchronize(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(cu.cuCtxDestroy_v2(nullptr), CUDA_ERROR_INVALID_VALUE) << "a handle it never got";
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
}

// ---- Unloading when the process ends (apache/tvm issue 121, PR 18624) ----

// Of this program, so that it goes after the driver, which was loaded later.
struct AtTheEnd {
  std::function<void()> body;
  ~AtTheEnd() {
    if (body) body();
  }
} at_the_end;

TEST_F(ReportedMisuse, UnloadAfterTheDriversEndAnswersDeinitializedAndHarmsNobody) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto unload_at_the_end = [&] {
    NewContext();
    CUmodule module = nullptr;
    EXPECT_EQ(cu.cuModuleLoadData(&module, kEmptyModule), CUDA_SUCCESS);
    at_the_end.body = [cu = cu, module] {
      if (cu.cuModuleUnload(module) != CUDA_ERROR_DEINITIALIZED) _exit(3);
    };
    std::exit(0);
  };
  EXPECT_EXIT(unload_at_the_end(), ::testing::ExitedWithCode(0), "");
}

TEST_F(ReportedMisuse, WhatAnUnloadLeavesBeforeTheEndIsALeak) {
  CUcontext context = NewContext();
  CUmodule module = nullptr;
  ASSERT_EQ(cu.cuModuleLoadData(&module, kEmptyModule), CUDA_SUCCESS);
  fake_.Inject({.entry = "cuModuleUnload", .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  EXPECT_EQ(cu.cuModuleUnload(module), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), ElementsAre("leak.reclaimed"));
}

// ---- A child of a process that has initialised the driver (vllm issue 32611) ----

// What `body` answers in a forked child.
int InAForkedChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ReportedMisuse, DriverCallInAForkedChildFailsAndIsNamedThere) {
  EXPECT_EQ(CUDA_ERROR_NOT_INITIALIZED, InAForkedChild([&] { return cu.cuInit(0); }));
  EXPECT_EQ(1, InAForkedChild([&] {
              cu.cuInit(0);
              return Rules() == std::vector<std::string>{"api.forked_child"} ? 1 : 0;
            }));
  EXPECT_THAT(Rules(), IsEmpty()) << "the parent did nothing wrong";
}

TEST_F(ReportedMisuse, ForkedChildThatLeavesTheDriverAloneIsQuiet) {
  EXPECT_EQ(0, InAForkedChild([&] { return static_cast<int>(Rules().size()); }));
}

TEST_F(ReportedMisuse, ChildForkedBeforeTheDriverIsInitialisedMayUseIt) {
  fake_.Reset();
  EXPECT_EQ(CUDA_SUCCESS, InAForkedChild([&] { return cu.cuInit(0); }));
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

// ---- The primary context belongs to somebody else (PyAV-Org/PyAV PR 2339) ----

TEST_F(ReportedMisuse, LibraryThatUsesTheCurrentContextLeavesFlagsAndCountAlone) {
  ASSERT_EQ(cu.cuCtxSetCurrent(Retain()), CUDA_SUCCESS);
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  unsigned flags = 99;
  int active = 0;
  ASSERT_EQ(cu.cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(fake_.Live().primary_retains, 1u);
  ASSERT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), IsEmpty());
}

TEST_F(ReportedMisuse, ReleaseOfARetainThatIsNotItsOwnIsNamed) {
  Retain();
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(Rules(), ElementsAre("primary.over_release"));
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

// ---- A resolver that hands out the wrong variant (tkestack/vcuda-controller PR 32) ----

TEST_F(ReportedMisuse, ResolverAnswersTheVariantOfTheVersionAndTheStreamAskedFor) {
  const auto resolved = [&](const char* name, int version, cuuint64_t flags) {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status{};
    EXPECT_EQ(cu.cuGetProcAddress_v2(name, &function, version, flags, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
    return function;
  };
  const auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
  EXPECT_EQ(resolved("cuMemAlloc", 11030, 0), address(cu.cuMemAlloc_v2));
  EXPECT_EQ(resolved("cuMemAlloc", 2000, 0), address(cu.cuMemAlloc));
  EXPECT_EQ(resolved("cuStreamSynchronize", 11030, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
            address(cu.cuStreamSynchronize_ptsz));
}

}  // namespace
}  // namespace culprit::fakedriver
