// SPDX-License-Identifier: Apache-2.0
//
// Rectangles of memory: allocated, copied, filled.
#include <string>

#include "runtime/testing/runtime_program.h"

namespace culprit::runtime {
namespace {

using testing::RuntimeTest;

constexpr size_t kWidth = 3;
constexpr size_t kHeight = 2;

TEST_F(RuntimeTest, RectanglesAreCopiedRowByRow) {
  void* device = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, kWidth, kHeight), cudaSuccess);
  ASSERT_GE(pitch, kWidth);
  const std::string from = "abc..def..";
  ASSERT_EQ(cudaMemcpy2D(device, pitch, from.data(), 5, kWidth, kHeight, cudaMemcpyHostToDevice),
            cudaSuccess);
  std::string to = "--------";
  EXPECT_EQ(cudaMemcpy2D(to.data(), 4, device, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(to, "abc-def-");
  ASSERT_EQ(cudaMemset2D(device, pitch, 'x', 2, kHeight), cudaSuccess);
  to = "--------";
  EXPECT_EQ(
      cudaMemcpy2DAsync(to.data(), 4, device, pitch, kWidth, kHeight, cudaMemcpyDefault, nullptr),
      cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(to, "xxc-xxf-");
  EXPECT_EQ(cudaMemcpy2D(to.data(), kWidth - 1, device, pitch, kWidth, kHeight, cudaMemcpyDefault),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(RuntimeTest, RectanglesOfNothingAndOfMoreThanThereIs) {
  int something = 0;
  void* device = &something;
  size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, 0, kHeight), cudaSuccess);
  EXPECT_EQ(device, nullptr);
  device = &something;
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, kWidth, 0), cudaSuccess);
  EXPECT_EQ(device, nullptr);
  // The product of these is 0 in 64 bits.
  constexpr size_t kHuge = size_t{1} << 32;
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, kHuge, kHuge), cudaErrorMemoryAllocation);
}

TEST_F(RuntimeTest, ChannelsAreDescribed) {
  const cudaChannelFormatDesc channels =
      cudaCreateChannelDesc(8, 16, 32, 64, cudaChannelFormatKindFloat);
  EXPECT_EQ(channels.x, 8);
  EXPECT_EQ(channels.y, 16);
  EXPECT_EQ(channels.z, 32);
  EXPECT_EQ(channels.w, 64);
  EXPECT_EQ(channels.f, cudaChannelFormatKindFloat);
}

}  // namespace
}  // namespace culprit::runtime
