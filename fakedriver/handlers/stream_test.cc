// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Host functions stand for work: a closed gate keeps one running, a counter tells what has run.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<int> passed{0};

  static void Pass(void* self) {
    Gate* gate = static_cast<Gate*>(self);
    while (!gate->open) std::this_thread::yield();
    ++gate->passed;
  }
};

class StreamTest : public testing::DriverTest {
 protected:
  StreamTest() {
    Start();
    NewContext();
  }

  void Restart(const char* policy) {
    Start({{"policy", policy}});
    NewContext();
  }
};

TEST_F(StreamTest, TimedWorkGoesOnWhileTheProgramDoes) {
  Gate gate;
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, Gate::Pass, &gate), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  gate.open = true;
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(gate.passed, 1);
  EXPECT_EQ(cu.cuStreamQuery(stream), CUDA_SUCCESS);
}

TEST_F(StreamTest, EagerWorkIsOverWhenTheCallReturns) {
  Restart("eager");
  Gate gate;
  gate.open = true;
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, Gate::Pass, &gate), CUDA_SUCCESS);
  EXPECT_EQ(gate.passed, 1);
}

TEST_F(StreamTest, LazyWorkRunsOnlyWhenSomebodyWaits) {
  Start({{"policy", "lazy"}});
  NewContext();
  Gate gate;
  gate.open = true;
  CUstream stream = NewStream();
  CUstream other = NewStream();
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, Gate::Pass, &gate), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchHostFunc(other, Gate::Pass, &gate), CUDA_SUCCESS);
  EXPECT_EQ(gate.passed, 0);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(gate.passed, 1);
}

TEST_F(StreamTest, LazyQueriesMakeProgressInTheEnd) {
  Start({{"policy", "lazy"}});
  NewContext();
  Gate gate;
  gate.open = true;
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, Gate::Pass, &gate), CUDA_SUCCESS);
  int queries = 1;
  while (cu.cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) ++queries;
  EXPECT_EQ(gate.passed, 1);
  EXPECT_GT(queries, 1);
}

TEST_F(StreamTest, LazyWatchdogDrainsForAProgramThatPollsMemory) {
  Start({{"policy", "lazy"}, {"idle_drain_ms", 20}});
  NewContext();
  Gate gate;
  gate.open = true;
  ASSERT_EQ(cu.cuLaunchHostFunc(NewStream(), Gate::Pass, &gate), CUDA_SUCCESS);
  while (gate.passed == 0) std::this_thread::yield();
}

TEST_F(StreamTest, LazyWaitsFollowEventsIntoOtherStreams) {
  Start({{"policy", "lazy"}});
  NewContext();
  Gate gate;
  gate.open = true;
  CUstream first = NewStream();
  CUstream second = NewStream();
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuLaunchHostFunc(first, Gate::Pass, &gate), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(event, first), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  // Legal while pending: the wait keeps what it captured.
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(second), CUDA_SUCCESS);
  EXPECT_EQ(gate.passed, 1);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(StreamTest, LegacyDefaultStreamWaitsForBlockingStreamsOnly) {
  Gate blocking;
  Gate apart;
  CUstream stream = NewStream(CU_STREAM_DEFAULT);
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, Gate::Pass, &blocking), CUDA_SUCCESS);
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(event, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_NOT_READY);
  CUevent other = NewEvent();
  ASSERT_EQ(cu.cuEventRecord(other, NewStream()), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(other), CUDA_SUCCESS);
  blocking.open = true;
  EXPECT_EQ(cu.cuStreamSynchronize(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(blocking.passed, 1);
}

TEST_F(StreamTest, PerThreadTokenIsAnotherStreamOnEachThread) {
  unsigned long long here = 0;
  unsigned long long there = 0;
  CUcontext context = Current();
  EXPECT_EQ(cu.cuStreamGetId(CU_STREAM_PER_THREAD, &here), CUDA_SUCCESS);
  OnAnotherThread([&] {
    cu.cuCtxSetCurrent(context);
    cu.cuStreamGetId(CU_STREAM_PER_THREAD, &there);
  });
  EXPECT_NE(here, there);
  unsigned long long variant = 0;
  EXPECT_EQ(cu.cuStreamGetId_ptsz(nullptr, &variant), CUDA_SUCCESS);
  EXPECT_EQ(variant, here);
}

TEST_F(StreamTest, DestroyDoesNotWaitAndTheWorkGoesOn) {
  Gate gate;
  CUstream stream = NewStream();
  CUevent event = NewEvent();
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, Gate::Pass, &gate), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(event, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_NOT_READY);
  gate.open = true;
  EXPECT_EQ(cu.cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(gate.passed, 1);
}

TEST_F(StreamTest, UseAfterDestroyIsAnErrorAndNamed) {
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(Rules(), ElementsAre("handle.destroyed", "handle.double_destroy"));
}

TEST_F(StreamTest, ReusedHandleNamesTheNewStream) {
  Start({{"handle_reuse", "newest-first"}});
  NewContext();
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(NewStream(), stream);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
}

TEST_F(StreamTest, HandleOfAnotherKindIsRefused) {
  EXPECT_EQ(cu.cuStreamSynchronize(reinterpret_cast<CUstream>(NewEvent())),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(Rules(), ElementsAre("handle.wrong_kind"));
}

TEST_F(StreamTest, HostFunctionMustNotCallTheDriver) {
  struct Call {
    testing::Entries* cu;
    CUresult result;
  } call{&cu, CUDA_SUCCESS};
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuLaunchHostFunc(
                stream,
                [](void* data) {
                  Call* self = static_cast<Call*>(data);
                  int count = 0;
                  self->result = self->cu->cuDeviceGetCount(&count);
                },
                &call),
            CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(call.result, CUDA_ERROR_NOT_PERMITTED);
  EXPECT_THAT(Rules(), Contains("callback.calls_driver"));
}

TEST_F(StreamTest, ContextsEndWaitsForPendingWork) {
  Gate gate;
  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, Gate::Pass, &gate), CUDA_SUCCESS);
  CUcontext context = Current();
  std::thread opener([&] { gate.open = true; });
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_EQ(gate.passed, 1);
  opener.join();
}

TEST_F(StreamTest, RandomPolicyRunsEverythingByTheTimeOfTheWait) {
  for (int seed = 0; seed < 8; ++seed) {
    Start({{"policy", "random"}, {"seed", seed}});
    NewContext();
    Gate gate;
    gate.open = true;
    CUstream streams[] = {NewStream(), NewStream(CU_STREAM_DEFAULT), nullptr};
    for (int i = 0; i < 30; ++i) {
      ASSERT_EQ(cu.cuLaunchHostFunc(streams[i % 3], Gate::Pass, &gate), CUDA_SUCCESS);
    }
    ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(gate.passed, 30);
  }
}

}  // namespace
}  // namespace culprit::fakedriver
