// SPDX-License-Identifier: Apache-2.0
//
// Events that two processes have.
#include <atomic>

#include "fakedriver/handlers/testing/ipc_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::IsEmpty;

class IpcEventsTest : public IpcTest {
 protected:
  CUevent SharedEvent() { return NewEvent(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING); }
  CUipcEventHandle Export(CUevent event) {
    CUipcEventHandle handle{};
    EXPECT_EQ(cu.cuIpcGetEventHandle(&handle, event), CUDA_SUCCESS);
    return handle;
  }
  using IpcTest::Export;  // memory
  CUevent OpenEvent(const CUipcEventHandle& handle) {
    CUevent event = nullptr;
    EXPECT_EQ(cu.cuIpcOpenEventHandle(&event, handle), CUDA_SUCCESS);
    return event;
  }
  // A stream whose work ends no sooner than `go_` is set.
  CUstream StreamThatWaits() {
    CUstream stream = NewStream();
    go_ = false;
    auto wait = [](void*) {
      while (!go_) std::this_thread::yield();
    };
    EXPECT_EQ(cu.cuLaunchHostFunc(stream, wait, nullptr), CUDA_SUCCESS);
    return stream;
  }

  static inline std::atomic<bool> go_;
};

TEST_F(IpcEventsTest, AnEventOrdersWorkOfTwoProcesses) {
  Beside([&](Channel& peer) {
    const CUdeviceptr memory = Open(peer.Receive<CUipcMemHandle>());
    CUevent event = OpenEvent(peer.Receive<CUipcEventHandle>());
    EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_NOT_READY);
    CUstream stream = NewStream();
    EXPECT_EQ(cu.cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
    peer.Send('w');
    EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuEventSynchronize(event), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuEventQuery(event), CUDA_SUCCESS);
    EXPECT_EQ(ByteAt(memory), 8);
    EXPECT_EQ(cu.cuEventRecord(event, stream), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_SUCCESS);
    EXPECT_THAT(Rules(), IsEmpty());
  });
  const CUdeviceptr memory = NewMemory(64, 2);
  const CUipcMemHandle block = Export(memory);
  CUevent event = SharedEvent();
  const CUipcEventHandle handle = Export(event);
  CUstream stream = StreamThatWaits();
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 8, 64, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(event, stream), CUDA_SUCCESS);
  channel_->Send(block);
  channel_->Send(handle);
  channel_->Receive<char>();
  go_ = true;
  EXPECT_TRUE(OtherIsFine());
  EXPECT_EQ(cu.cuEventQuery(event), CUDA_SUCCESS);  // the other's record was reached, too
}

// What was made to wait for the event holds what it shares.
TEST_F(IpcEventsTest, AnEventThatIsNeverReachedGoesWithAReset) {
  for (const char* policy : {"timed", "lazy"}) {
    SCOPED_TRACE(policy);
    settings_ = {{"policy", policy}};
    Beside([&](Channel& peer) {
      const size_t before = SharedMappings();
      CUevent event = OpenEvent(peer.Receive<CUipcEventHandle>());
      EXPECT_EQ(SharedMappings(), before + 1);
      EXPECT_EQ(cu.cuStreamWaitEvent(NewStream(), event, 0), CUDA_SUCCESS);
      EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_NOT_READY);
      EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_SUCCESS);
      fake_.Reset();
      EXPECT_EQ(SharedMappings(), before);
    });
    CUevent event = SharedEvent();
    const CUipcEventHandle handle = Export(event);
    CUstream stream = StreamThatWaits();
    ASSERT_EQ(cu.cuEventRecord(event, stream), CUDA_SUCCESS);
    channel_->Send(handle);
    EXPECT_TRUE(OtherIsFine());
    go_ = true;
    EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  }
}

// It is the other process's work, which may wait for this one's.
TEST_F(IpcEventsTest, AnEventOfAnotherProcessIsNotWaitedForWithTheContext) {
  settings_ = {{"policy", "lazy"}};
  Beside([&](Channel& peer) {
    CUevent event = OpenEvent(peer.Receive<CUipcEventHandle>());
    EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuEventQuery(event), CUDA_ERROR_NOT_READY);
  });
  CUevent event = SharedEvent();
  const CUipcEventHandle handle = Export(event);
  ASSERT_EQ(cu.cuEventRecord(event, NewStream()), CUDA_SUCCESS);
  channel_->Send(handle);
  EXPECT_TRUE(OtherIsFine());
}

}  // namespace
}  // namespace culprit::fakedriver
