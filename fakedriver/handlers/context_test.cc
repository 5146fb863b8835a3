// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class ContextTest : public testing::DriverTest {
 protected:
  ContextTest() { Start(); }
};

TEST_F(ContextTest, CreationMakesItCurrentAndDestructionUncoversTheOneBelow) {
  CUcontext a = NewContext();
  CUcontext b = NewContext();
  EXPECT_EQ(Current(), b);
  EXPECT_EQ(cu.cuCtxDestroy_v2(b), CUDA_SUCCESS);
  EXPECT_EQ(Current(), a);
  EXPECT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  EXPECT_EQ(Current(), nullptr);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(ContextTest, DestroyedOneStaysOnStacksButOnTop) {
  CUcontext a = NewContext();
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(a), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(a), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  EXPECT_EQ(Current(), a);
  CUstream stream = nullptr;
  EXPECT_EQ(cu.cuStreamCreate(&stream, 0), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_THAT(Rules(), Contains("context.dead_current"));
}

TEST_F(ContextTest, DestroyingTwiceIsNamedWithBothCalls) {
  CUcontext a = NewContext();
  ASSERT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxDestroy_v2(a), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  ASSERT_THAT(Rules(), ElementsAre("handle.double_destroy"));
  EXPECT_THAT(fake_.Findings()[0].object, ::testing::HasSubstr("destroyed by call"));
}

TEST_F(ContextTest, AContextArgumentLeftToChanceMeansTheCurrentOneAndIsNamed) {
  NewContext();
  int chance = 0;
  CUdevice device = -1;
  EXPECT_EQ(cu.cuCtxGetDevice_v2(&device, reinterpret_cast<CUcontext>(&chance)), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cu.cuCtxSynchronize_v2(reinterpret_cast<CUcontext>(0x28)), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("handle.foreign", "handle.foreign"));
}

TEST_F(ContextTest, ADestroyedContextStillNamesItsDeviceAndCannotBeWaitedFor) {
  CUcontext dead = NewContext();
  ASSERT_EQ(cu.cuCtxDestroy_v2(dead), CUDA_SUCCESS);
  NewContext();
  CUdevice device = -1;
  EXPECT_EQ(cu.cuCtxGetDevice_v2(&device, dead), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cu.cuCtxSynchronize_v2(dead), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_THAT(Rules(), ElementsAre("handle.destroyed", "handle.destroyed"));
}

TEST_F(ContextTest, SettingTheCurrentReplacesTheTopAndNullPopsIt) {
  CUcontext a = NewContext();
  CUcontext b = NewContext();
  EXPECT_EQ(cu.cuCtxSetCurrent(a), CUDA_SUCCESS);
  CUcontext popped = nullptr;
  EXPECT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, a);
  EXPECT_EQ(Current(), a);
  EXPECT_EQ(cu.cuCtxPushCurrent_v2(b), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(Current(), a);
}

TEST_F(ContextTest, PushWithoutPopIsAnImbalanceOfItsThread) {
  CUcontext a = NewContext();
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(a), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  OnAnotherThread([&] {
    CUcontext b = nullptr;
    cu.cuCtxCreate_v4(&b, nullptr, 0, 0);
    cu.cuCtxPopCurrent_v2(&b);
    cu.cuCtxPushCurrent_v2(b);
    cu.cuCtxPopCurrent_v2(&b);
    cu.cuCtxDestroy_v2(b);
  });
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), Not(Contains("leak.context")));
}

TEST_F(ContextTest, PushLeftOnAnEndedThreadIsAnImbalance) {
  CUcontext a = NewContext();
  OnAnotherThread([&] { cu.cuCtxPushCurrent_v2(a); });
  ASSERT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), ElementsAre("context.stack_imbalance"));
}

TEST_F(ContextTest, LeftAliveIsALeakAndSoIsWhatItHolds) {
  NewContext();
  NewStream();
  NewEvent();
  fake_.EndOfLife();
  EXPECT_THAT(Rules(),
              ::testing::UnorderedElementsAre("leak.context", "leak.stream", "leak.event"));
}

TEST_F(ContextTest, WhatTheHarnessMadeIsNoLeak) {
  {
    HarnessScope harness(fake_);
    NewContext();
    NewStream();
  }
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(fake_.Live().contexts, 0u);
}

TEST_F(ContextTest, ObjectsThatOnlyItsEndGivesBackAreNamed) {
  CUcontext a = NewContext();
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("leak.reclaimed"));
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_THAT(Rules(), ElementsAre("leak.reclaimed", "handle.context_gone"));
}

// As an H200 answers: the pool is the device's.
TEST_F(ContextTest, PoolMemoryOutlivesItAndIsALeakOnlyAtTheEnd) {
  CUcontext a = NewContext();
  CUdeviceptr freed = 0;
  CUdeviceptr kept = 0;
  ASSERT_EQ(cu.cuMemAllocAsync(&freed, 64, CU_STREAM_LEGACY), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemAllocAsync(&kept, 64, CU_STREAM_LEGACY), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemFree_v2(freed), CUDA_SUCCESS);
  CUcontext b = NewContext();
  EXPECT_EQ(cu.cuMemsetD8_v2(kept, 1, 64), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(b), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), ElementsAre("leak.allocation"));
}

TEST_F(ContextTest, TokensAreRefusedByDestroyOnlyUnderALivingOne) {
  CUcontext a = NewContext();
  EXPECT_EQ(cu.cuStreamDestroy_v2(CU_STREAM_PER_THREAD), CUDA_ERROR_INVALID_HANDLE);
  OnAnotherThread([&] { ASSERT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS); });
  EXPECT_EQ(cu.cuStreamDestroy_v2(CU_STREAM_PER_THREAD), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cu.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(CU_STREAM_LEGACY), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(ContextTest, StrictTeardownNeedsTheOwnerCurrent) {
  Start({{"profile", "strict"}});
  CUcontext owner = NewContext();
  CUstream stream = NewStream();
  CUevent event = NewEvent();
  NewContext();
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(Rules(), ElementsAre("context.foreign_at_teardown", "context.foreign_at_teardown"));
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(owner), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
}

TEST_F(ContextTest, PermissiveTeardownSucceedsAndIsStillNamed) {
  NewContext();
  CUstream stream = NewStream();
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("context.missing_at_teardown"));
  EXPECT_EQ(fake_.ErrorCount(), 1u);
}

TEST_F(ContextTest, BareProgramsGetANoteForPermissiveTeardown) {
  Start({{"certify", false}});
  NewContext();
  CUstream stream = NewStream();
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(fake_.ErrorCount(), 0u);
  EXPECT_EQ(fake_.FindingCount(), 1u);
}

TEST_F(ContextTest, StrictSubmissionNeedsAContextForAnExplicitStream) {
  Start({{"profile", "strict-submit"}});
  NewContext();
  CUstream stream = NewStream();
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_INVALID_CONTEXT);
  int priority = 0;
  EXPECT_EQ(cu.cuStreamGetPriority(stream, &priority), CUDA_SUCCESS);
}

TEST_F(ContextTest, ErrorAfterTheDestroyAllowsOneMore) {
  CUcontext a = NewContext();
  CUevent event = NewEvent();
  auto fault =
      fake_.Inject({.entry = "cuEventDestroy_v2", .after = true, .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_ERROR_UNKNOWN);
  EXPECT_TRUE(fault.fired());
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_NE(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("handle.double_destroy"));
  EXPECT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
}

TEST_F(ContextTest, ErrorAfterTheCreationOrphansWhatItMade) {
  CUcontext a = NewContext();
  fake_.Inject({.entry = "cuStreamCreate", .after = true, .result = CUDA_ERROR_OUT_OF_MEMORY});
  CUstream stream = nullptr;
  EXPECT_EQ(cu.cuStreamCreate(&stream, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(fake_.Live().streams, 0u);
  EXPECT_EQ(fake_.Live().orphaned, 1u);
  EXPECT_EQ(cu.cuCtxDestroy_v2(a), CUDA_SUCCESS);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
}

}  // namespace
}  // namespace culprit::fakedriver
