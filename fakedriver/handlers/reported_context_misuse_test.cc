// SPDX-License-Identifier: Apache-2.0
//
// Contexts: whose is current, and who retains the primary one.
#include "fakedriver/handlers/testing/reported_misuse.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

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

}  // namespace
}  // namespace culprit::fakedriver
