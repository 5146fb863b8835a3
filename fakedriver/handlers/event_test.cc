// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventTest : public testing::DriverTest {
 protected:
  EventTest() {
    Start();
    context_ = NewContext();
  }
  CUcontext context_ = nullptr;
};

TEST_F(EventTest, RecordNeedsAStreamOfItsContext) {
  CUevent event = NewEvent();
  CUstream own = NewStream();
  NewContext();
  CUstream foreign = NewStream();
  EXPECT_EQ(cu.cuEventRecord(event, foreign), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventRecord(event, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventRecord(event, own), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamWaitEvent(foreign, event, 0), CUDA_SUCCESS);
}

// Under a policy that runs work as late as it may.
TEST_F(EventTest, AnEventOverAContextIsReachedOnceTheContextWasWaitedFor) {
  Start({{"policy", "lazy"}});
  const CUcontext context = NewContext();
  CUdeviceptr memory = 0;
  ASSERT_EQ(cu.cuMemAlloc_v2(&memory, 64), CUDA_SUCCESS);
  const CUevent event = NewEvent();
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 1, 64, NewStream()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxRecordEvent(context, event), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(event), CUDA_SUCCESS);
}

TEST_F(EventTest, ElapsedTimeNeedsTwoRecordedTimedEvents) {
  CUevent first = NewEvent();
  CUevent second = NewEvent();
  CUevent untimed = NewEvent(CU_EVENT_DISABLE_TIMING);
  float milliseconds = -1;
  EXPECT_EQ(cu.cuEventElapsedTime_v2(&milliseconds, first, second), CUDA_ERROR_INVALID_HANDLE);
  for (CUevent event : {first, second, untimed})
    ASSERT_EQ(cu.cuEventRecord(event, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventElapsedTime_v2(&milliseconds, first, second), CUDA_SUCCESS);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cu.cuEventElapsedTime_v2(&milliseconds, first, untimed), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(EventTest, OneThatWasNeverRecordedIsDone) {
  CUevent event = NewEvent();
  EXPECT_EQ(cu.cuEventQuery(event), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamWaitEvent(NewStream(), event, 0), CUDA_SUCCESS);
}

TEST_F(EventTest, WaitAfterDestroyIsNamed) {
  CUevent event = NewEvent();
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamWaitEvent(stream, event, 0), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_THAT(Rules(), ElementsAre("handle.destroyed"));
  EXPECT_EQ(fake_.Findings()[0].argument, "hEvent");
}

TEST_F(EventTest, InterprocessEventsMustNotKeepTime) {
  CUevent event = nullptr;
  EXPECT_EQ(cu.cuEventCreate(&event, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING),
            CUDA_SUCCESS);
}

TEST_F(EventTest, ThreadsMakeRecordAndDestroyTheirOwn) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      cu.cuCtxPushCurrent_v2(context_);
      CUstream stream = nullptr;
      cu.cuStreamCreate(&stream, i % 2);
      for (int n = 0; n < 300; ++n) {
        CUevent event = nullptr;
        EXPECT_EQ(cu.cuEventCreate(&event, 0), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuEventRecord(event, n % 3 == 0 ? nullptr : stream), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuLaunchHostFunc(
                      stream, [](void*) {}, nullptr),
                  CUDA_SUCCESS);
        EXPECT_EQ(cu.cuEventSynchronize(event), CUDA_SUCCESS);
        EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
      }
      EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
      CUcontext popped = nullptr;
      EXPECT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fake_.Live().events, 0u);
  EXPECT_EQ(cu.cuCtxDestroy_v2(context_), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

}  // namespace
}  // namespace culprit::fakedriver
