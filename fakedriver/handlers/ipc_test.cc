// SPDX-License-Identifier: Apache-2.0
//
// Two processes: the test's own, and one that was forked before any of them called the driver. They
// talk through a socket; the other process reports the first step that went wrong.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <optional>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  ~Channel() { close(descriptor_); }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  template <typename T>
  void Send(const T& value) {
    ASSERT_EQ(write(descriptor_, &value, sizeof value), static_cast<ssize_t>(sizeof value));
  }
  template <typename T>
  T Receive() {
    T value{};
    EXPECT_EQ(read(descriptor_, &value, sizeof value), static_cast<ssize_t>(sizeof value));
    return value;
  }

 private:
  int descriptor_;
};

class IpcTest : public testing::DriverTest {
 protected:
  // Forks a process that runs `body`, and goes on here as its peer.
  void Beside(const std::function<void(Channel&)>& body) {
    fake_.Reset();
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    other_ = fork();
    if (other_ == 0) {
      close(ends[0]);
      {
        Channel channel(ends[1]);
        Start(settings_);
        context_ = NewContext();
        body(channel);
      }
      _exit(HasFailure() ? 1 : 0);
    }
    close(ends[1]);
    channel_.emplace(ends[0]);
    Start(settings_);
    context_ = NewContext();
  }

  // True when every expectation of the other process held.
  bool OtherIsFine() {
    int status = -1;
    waitpid(other_, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  CUdeviceptr NewMemory(size_t bytes, unsigned char value) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cu.cuMemAlloc_v2(&memory, bytes), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD8_v2(memory, value, bytes), CUDA_SUCCESS);
    return memory;
  }
  unsigned char ByteAt(CUdeviceptr address) {
    unsigned char byte = 0;
    EXPECT_EQ(cu.cuMemcpyDtoH_v2(&byte, address, 1), CUDA_SUCCESS);
    return byte;
  }
  CUipcMemHandle Export(CUdeviceptr memory) {
    CUipcMemHandle handle{};
    EXPECT_EQ(cu.cuIpcGetMemHandle(&handle, memory), CUDA_SUCCESS);
    return handle;
  }
  CUdeviceptr Open(const CUipcMemHandle& handle) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cu.cuIpcOpenMemHandle_v2(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
              CUDA_SUCCESS);
    return memory;
  }

  nlohmann::json settings_ = nlohmann::json::object();
  CUcontext context_ = nullptr;
  pid_t other_ = -1;
  std::optional<Channel> channel_;
};

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
  settings_ = {{"policy", "lazy"}, {"idle_drain_ms", 0}};
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

TEST_F(IpcTest, AnEventOrdersWorkOfTwoProcesses) {
  Beside([&](Channel& peer) {
    const CUdeviceptr memory = Open(peer.Receive<CUipcMemHandle>());
    CUevent event = nullptr;
    EXPECT_EQ(cu.cuIpcOpenEventHandle(&event, peer.Receive<CUipcEventHandle>()), CUDA_SUCCESS);
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
  static std::atomic<bool> go;
  go = false;
  const CUdeviceptr memory = NewMemory(64, 2);
  const CUipcMemHandle block = Export(memory);
  CUevent event = NewEvent(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
  CUipcEventHandle handle{};
  ASSERT_EQ(cu.cuIpcGetEventHandle(&handle, event), CUDA_SUCCESS);
  CUstream stream = NewStream();
  auto wait = [](void*) {
    while (!go) std::this_thread::yield();
  };
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, wait, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(memory, 8, 64, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventRecord(event, stream), CUDA_SUCCESS);
  channel_->Send(block);
  channel_->Send(handle);
  channel_->Receive<char>();
  go = true;
  EXPECT_TRUE(OtherIsFine());
  EXPECT_EQ(cu.cuEventQuery(event), CUDA_SUCCESS);  // the other's record was reached, too
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
