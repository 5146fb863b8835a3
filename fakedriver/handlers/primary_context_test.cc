// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PrimaryContextTest : public testing::DriverTest {
 protected:
  PrimaryContextTest() { Start(); }

  CUcontext Retain() {
    CUcontext context = nullptr;
    EXPECT_EQ(cu.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    return context;
  }
  bool Active() {
    unsigned flags = 0;
    int active = 0;
    EXPECT_EQ(cu.cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
    return active != 0;
  }
};

TEST_F(PrimaryContextTest, LivesFromTheFirstRetainToTheLastRelease) {
  EXPECT_FALSE(Active());
  CUcontext first = Retain();
  EXPECT_EQ(Retain(), first);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_TRUE(Active());
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_FALSE(Active());
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(Rules(), ElementsAre("primary.over_release"));
}

TEST_F(PrimaryContextTest, RetainsThatAreNotReleasedAreNamed) {
  Retain();
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), ElementsAre("primary.unbalanced_retain"));
  EXPECT_EQ(fake_.Live().primary_retains, 1u);
}

TEST_F(PrimaryContextTest, OldBindingComesAliveWithANewRetainAndIsNamedStale) {
  CUcontext context = Retain();
  ASSERT_EQ(cu.cuCtxSetCurrent(context), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("primary.released_while_current"));
  EXPECT_EQ(Current(), context);
  CUevent event = nullptr;
  EXPECT_EQ(cu.cuEventCreate(&event, 0), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(Retain(), context);
  EXPECT_EQ(cu.cuEventCreate(&event, 0), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), Contains("context.stale_binding"));
}

TEST_F(PrimaryContextTest, ReleaseTakesTheStreamsAlongAndAResetLeavesTheRetain) {
  CUcontext context = Retain();
  ASSERT_EQ(cu.cuCtxSetCurrent(context), CUDA_SUCCESS);
  CUstream stream = NewStream();
  EXPECT_EQ(cu.cuDevicePrimaryCtxReset_v2(0), CUDA_SUCCESS);
  EXPECT_FALSE(Active());
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

TEST_F(PrimaryContextTest, HarnessAndSubjectReleaseTheirOwn) {
  {
    HarnessScope harness(fake_);
    Retain();
  }
  Retain();
  EXPECT_EQ(fake_.Live().primary_retains, 1u);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().primary_retains, 0u);
  EXPECT_TRUE(Active());
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(PrimaryContextTest, HandlesDifferBetweenDevices) {
  Start({{"devices", "2"}});
  CUcontext first = nullptr;
  CUcontext second = nullptr;
  ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&second, 1), CUDA_SUCCESS);
  EXPECT_NE(first, second);
}

TEST_F(PrimaryContextTest, ErrorAfterTheReleaseAllowsOneMore) {
  Retain();
  fake_.Inject(
      {.entry = "cuDevicePrimaryCtxRelease_v2", .after = true, .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_UNKNOWN);
  EXPECT_FALSE(Active());
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

}  // namespace
}  // namespace culprit::fakedriver
