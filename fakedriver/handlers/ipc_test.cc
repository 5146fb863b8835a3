// SPDX-License-Identifier: Apache-2.0
//
// Memory that two processes have, and what of both has no handle for others.
#include "fakedriver/handlers/testing/ipc_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(IpcTest, BothProcessesSeeTheSameBytes) {
  for (const size_t bytes : {size_t{64}, size_t{5} << 20}) {
    SCOPED_TRACE(bytes);
    Beside([&](Channel& peer) {
      const CUdeviceptr memory = Open(peer.Receive<CUipcMemHandle>());
      EXPECT_EQ(ByteAt(memory), 7);
      EXPECT_EQ(ByteAt(memory + bytes - 1), 7);
      EXPECT_EQ(cu.cuMemsetD8_v2(memory, 9, bytes), CUDA_SUCCESS);
      EXPECT_EQ(cu.cuMemsetD8_v2(memory, 9, bytes + 1), CUDA_ERROR_INVALID_VALUE);
      EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_SUCCESS);
      EXPECT_EQ(cu.cuMemsetD8_v2(memory, 9, 1), CUDA_ERROR_INVALID_VALUE);
    });
    const CUdeviceptr neighbour = NewMemory(64, 1);
    const CUdeviceptr memory = NewMemory(bytes, 7);
    channel_->Send(Export(memory));
    EXPECT_TRUE(OtherIsFine());
    EXPECT_EQ(ByteAt(memory), 9);
    EXPECT_EQ(ByteAt(memory + bytes - 1), 9);
    EXPECT_EQ(ByteAt(neighbour), 1);
    EXPECT_EQ(cu.cuMemFree_v2(memory), CUDA_SUCCESS);
    EXPECT_THAT(Rules(), IsEmpty());
  }
}

TEST_F(IpcTest, OpensOfOneBlockAreCounted) {
  Beside([&](Channel& peer) {
    const CUipcMemHandle handle = peer.Receive<CUipcMemHandle>();
    const CUdeviceptr memory = Open(handle);
    EXPECT_EQ(Open(handle), memory);
    EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_SUCCESS);
    EXPECT_EQ(ByteAt(memory), 3);
    EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_SUCCESS);
    EXPECT_THAT(Rules(), IsEmpty());
    EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(Rules(), ElementsAre("handle.double_destroy"));
  });
  channel_->Send(Export(NewMemory(64, 3)));
  EXPECT_TRUE(OtherIsFine());
}

TEST_F(IpcTest, WhatIsLeftOpenIsALeak) {
  Beside([&](Channel& peer) {
    const CUdeviceptr kept = Open(peer.Receive<CUipcMemHandle>());
    CUevent event = nullptr;
    EXPECT_EQ(cu.cuIpcOpenEventHandle(&event, peer.Receive<CUipcEventHandle>()), CUDA_SUCCESS);
    EXPECT_NE(kept, 0u);
    fake_.EndOfLife();
    EXPECT_THAT(Rules(), Contains("leak.mapping"));
    EXPECT_THAT(Rules(), Contains("leak.event"));
  });
  CUipcEventHandle handle{};
  CUevent event = NewEvent(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
  ASSERT_EQ(cu.cuIpcGetEventHandle(&handle, event), CUDA_SUCCESS);
  channel_->Send(Export(NewMemory(64, 0)));
  channel_->Send(handle);
  EXPECT_TRUE(OtherIsFine());
}

TEST_F(IpcTest, FreeingWhatIsOpenElsewhereIsAFinding) {
  Beside([&](Channel& peer) {
    const CUdeviceptr memory = Open(peer.Receive<CUipcMemHandle>());
    peer.Send('o');
    peer.Receive<char>();
    EXPECT_EQ(ByteAt(memory), 5);  // the bytes last as long as they are open
    EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_SUCCESS);
  });
  const CUdeviceptr memory = NewMemory(size_t{3} << 20, 5);
  channel_->Send(Export(memory));
  channel_->Receive<char>();
  EXPECT_EQ(cu.cuMemFree_v2(memory), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), ElementsAre("memory.freed_busy"));
  channel_->Send('f');
  EXPECT_TRUE(OtherIsFine());
}

TEST_F(IpcTest, AnOpenerThatDiedIsNoReasonForAFinding) {
  Beside([&](Channel& peer) { Open(peer.Receive<CUipcMemHandle>()); });
  const CUdeviceptr memory = NewMemory(64, 5);
  channel_->Send(Export(memory));
  EXPECT_TRUE(OtherIsFine());
  EXPECT_EQ(cu.cuMemFree_v2(memory), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(IpcTest, ClosingUnderQueuedWorkIsAFinding) {
  settings_ = {{"policy", "lazy"}};
  Beside([&](Channel& peer) {
    const CUdeviceptr memory = Open(peer.Receive<CUipcMemHandle>());
    const CUdeviceptr copy = NewMemory(64, 0);
    CUstream stream = NewStream();
    EXPECT_EQ(cu.cuMemcpyDtoDAsync_v2(copy, memory, 64, stream), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_SUCCESS);
    EXPECT_THAT(Rules(), ElementsAre("memory.freed_busy"));
  });
  channel_->Send(Export(NewMemory(64, 5)));
  EXPECT_TRUE(OtherIsFine());
}

TEST_F(IpcTest, TheExportingProcessCannotOpenItsOwn) {
  Start();
  NewContext();
  const CUdeviceptr memory = NewMemory(64, 0);
  const CUipcMemHandle handle = Export(memory);
  CUdeviceptr opened = 0;
  EXPECT_EQ(cu.cuIpcOpenMemHandle_v2(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
            CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu.cuIpcCloseMemHandle(memory), CUDA_ERROR_INVALID_VALUE);
  CUipcEventHandle event{};
  EXPECT_EQ(cu.cuIpcGetEventHandle(&event, NewEvent()), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(IpcTest, HandlesOfWhatIsNoMemoryOfTheDeviceAreRefused) {
  Start();
  NewContext();
  CUipcMemHandle handle{};
  void* host = nullptr;
  ASSERT_EQ(cu.cuMemHostAlloc(&host, 64, 0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuIpcGetMemHandle(&handle, reinterpret_cast<CUdeviceptr>(host)),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuIpcGetMemHandle(&handle, 0x42), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr opened = 0;
  const CUipcMemHandle garbage{};
  EXPECT_EQ(cu.cuIpcOpenMemHandle_v2(&opened, garbage, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
            CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace culprit::fakedriver
