// SPDX-License-Identifier: Apache-2.0
//
// Devices: which one is chosen, what is initialised, and what a reset leaves.
#include <cuda.h>

#include "runtime/testing/own_process.h"
#include "runtime/testing/runtime_program.h"

extern "C" {
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}

namespace culprit::runtime {
namespace {

using testing::OwnProcess;
using testing::RuntimeTest;

bool Active(int device) {
  unsigned flags = 0;
  int active = 0;
  EXPECT_EQ(cuDevicePrimaryCtxGetState(device, &flags, &active), CUDA_SUCCESS);
  return active != 0;
}

CUcontext Current() {
  CUcontext current = nullptr;
  EXPECT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  return current;
}

int Chosen() {
  int device = -1;
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  return device;
}

void AllocateSomething() {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
}

TEST_F(RuntimeTest, InitialisingADeviceDoesNotChooseIt) {
  const OwnProcess process({.settings = R"({"devices": "2"})"});
  EXPECT_EXIT(process.Run([] {
    ASSERT_EQ(cudaInitDevice(1, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid), cudaSuccess);
    EXPECT_TRUE(Active(1));
    EXPECT_FALSE(Active(0));
    EXPECT_EQ(Current(), nullptr);
    EXPECT_EQ(Chosen(), 0);
    AllocateSomething();
    EXPECT_TRUE(Active(0));
    EXPECT_EQ(Chosen(), 0);
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(Chosen(), 1);
    unsigned flags = 0;
    ASSERT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
    EXPECT_EQ(flags & cudaDeviceScheduleMask, unsigned{cudaDeviceScheduleYield});
  }),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeTest, DevicesAreNotInitialisedWithWhatIsNoFlag) {
  const OwnProcess process;
  EXPECT_EXIT(process.Run([] {
    EXPECT_EQ(cudaInitDevice(0, 0, 2), cudaErrorInvalidValue);
    EXPECT_EQ(cudaInitDevice(0, 0xff00u, cudaInitDeviceFlagsAreValid), cudaErrorInvalidValue);
    EXPECT_EQ(cudaInitDevice(99, 0, 0), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaInitDevice(-1, 0, cudaInitDeviceFlagsAreValid), cudaErrorInvalidDevice);
    EXPECT_FALSE(Active(0));
    // Without the flag that says so, the device's flags are not looked at.
    EXPECT_EQ(cudaInitDevice(0, 0xff00u, 0), cudaSuccess);
    EXPECT_TRUE(Active(0));
  }),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeTest, AResetDeviceIsUsedAgain) {
  AllocateSomething();
  ASSERT_TRUE(Active(0));
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_FALSE(Active(0));
  EXPECT_EQ(Current(), nullptr);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT) << "nothing is retained";
  float* value = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&value), 4, cudaMemAttachGlobal),
            cudaSuccess);
  *value = 3;
  const float factor = 5;
  ASSERT_EQ(cudaMemcpyToSymbol(&factor_, &factor, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(Scale(value, 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*value, 15);
  EXPECT_EQ(cudaFree(value), cudaSuccess);
}

TEST_F(RuntimeTest, AResetAnswersThatTheContextCouldNotBeReleasedAndHoldsIt) {
  const OwnProcess process(
      {.plan = "- {entry: cuDevicePrimaryCtxRelease_v2, before: CUDA_ERROR_UNKNOWN}"});
  EXPECT_EXIT(process.Run([] {
    AllocateSomething();
    EXPECT_EQ(cudaDeviceReset(), cudaErrorUnknown);
    EXPECT_EQ(cudaGetLastError(), cudaErrorUnknown);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT) << "nothing is retained";
  }),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeTest, AResetThatFailsIsAnsweredAndReleasesTheContext) {
  const OwnProcess process(
      {.plan = "- {entry: cuDevicePrimaryCtxReset_v2, before: CUDA_ERROR_UNKNOWN}"});
  EXPECT_EXIT(process.Run([] {
    AllocateSomething();
    EXPECT_EQ(cudaDeviceReset(), cudaErrorUnknown);
    EXPECT_FALSE(Active(0));
  }),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeTest, ProfilingStartsAndStops) {
  EXPECT_EQ(cudaProfilerStart(), cudaSuccess);
  EXPECT_EQ(cudaProfilerStop(), cudaSuccess);
}

}  // namespace
}  // namespace culprit::runtime
