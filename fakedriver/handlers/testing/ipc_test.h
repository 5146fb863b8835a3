// SPDX-License-Identifier: Apache-2.0
//
// Two processes: the test's own, and one that was forked before any of them called the driver. They
// talk through a socket; the other process reports the first step that went wrong.
#ifndef FAKEDRIVER_HANDLERS_TESTING_IPC_TEST_H_
#define FAKEDRIVER_HANDLERS_TESTING_IPC_TEST_H_

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {

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
  // Of this process, of what it shares with others.
  static size_t SharedMappings() {
    std::ifstream maps("/proc/self/maps");
    size_t count = 0;
    for (std::string line; std::getline(maps, line);)
      count += line.find("culprit-shared-memory") != std::string::npos;
    return count;
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

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_HANDLERS_TESTING_IPC_TEST_H_
