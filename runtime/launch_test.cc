// SPDX-License-Identifier: Apache-2.0
//
// Launches: nested ones, late ones, and those that the driver's types cannot hold.
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>

#include "runtime/testing/own_process.h"
#include "runtime/testing/runtime_program.h"

namespace culprit::runtime {
namespace {

using testing::OwnProcess;
using testing::RuntimeTest;

TEST_F(RuntimeTest, ConfigurationsNestAndOneTooManyIsRefused) {
  constexpr unsigned kMost = 16;
  for (unsigned x = 1; x <= kMost; ++x) {
    ASSERT_EQ(__cudaPushCallConfiguration({x, 1, 1}, {1, x, 1}, x, cudaStreamPerThread), 0u);
  }
  EXPECT_NE(__cudaPushCallConfiguration({17, 1, 1}, {1, 1, 1}, 0, nullptr), 0u);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  dim3 grid;
  dim3 block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  for (unsigned x = kMost; x >= 1; --x) {
    ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    EXPECT_EQ(grid.x, x);
    EXPECT_EQ(block.y, x);
    EXPECT_EQ(shared, x);
    EXPECT_EQ(stream, cudaStreamPerThread);
  }
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaErrorMissingConfiguration);
}

struct AtTheEnd {
  std::function<void()> body;
  ~AtTheEnd() { body(); }
};

// The thread's own objects have been destroyed by then.
TEST_F(RuntimeTest, StaticObjectsLaunchFromTheirDestructors) {
  constexpr int kRight = 7;
  const OwnProcess process;
  EXPECT_EXIT(process.Run([&] {
    float* values = nullptr;
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&values), 8, cudaMemAttachGlobal),
              cudaSuccess);
    values[0] = 3;
    const float factor = 2;
    ASSERT_EQ(cudaMemcpyToSymbol(&factor_, &factor, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_NE(__cudaInitModule(handle_), 0);
    ASSERT_EQ(Scale(values, 1), cudaSuccess);
    static AtTheEnd at_the_end;
    at_the_end.body = [this, values] {
      // Takes what was freed by then: nothing may be written to it.
      std::array<std::unique_ptr<std::array<char, 40>>, 16> blocks;
      for (auto& block : blocks) block = std::make_unique<std::array<char, 40>>();
      bool right = Scale(values, 1) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
      right = right && values[0] == 12;
      for (const auto& block : blocks) right = right && *block == std::array<char, 40>{};
      if (right) _exit(kRight);
    };
  }),
              ::testing::ExitedWithCode(kRight), "");
}

TEST_F(RuntimeTest, SharedMemoryThatTheDriverCannotCountIsRefused) {
  constexpr size_t kTooMuch = size_t{1} << 32;
  float* values = nullptr;
  void* arguments[] = {&values};
  EXPECT_EQ(cudaLaunchKernel(&scale_, {1, 1, 1}, {1, 1, 1}, arguments, kTooMuch, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(
      cudaLaunchCooperativeKernel(&scale_, {1, 1, 1}, {1, 1, 1}, arguments, kTooMuch, nullptr),
      cudaErrorInvalidValue);
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = {1, 1, 1};
  config.dynamicSmemBytes = kTooMuch;
  EXPECT_EQ(cudaLaunchKernelExC(&config, &scale_, arguments), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
}  // namespace culprit::runtime
