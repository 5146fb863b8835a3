// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

constexpr const char* kEmpty =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry empty()\n{\n  ret;\n}\n";

class OccupancyTest : public testing::DriverTest {
 protected:
  OccupancyTest() {
    Start();
    NewContext();
    EXPECT_EQ(cu.cuLibraryLoadData(&library_, kEmpty, nullptr, nullptr, 0, nullptr, nullptr, 0),
              CUDA_SUCCESS);
    CUkernel kernel = nullptr;
    EXPECT_EQ(cu.cuLibraryGetKernel(&kernel, library_, "empty"), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuKernelGetFunction(&function_, kernel), CUDA_SUCCESS);
    kernel_ = reinterpret_cast<CUfunction>(kernel);
  }

  CUlibrary library_ = nullptr;
  CUfunction kernel_ = nullptr;  // of the library, of no context
  CUfunction function_ = nullptr;
};

TEST_F(OccupancyTest, AKernelOfALibraryStandsForItsFunction) {
  int of_function = 0, of_kernel = 0;
  EXPECT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&of_function, function_, 128, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&of_kernel, kernel_, 128, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(of_kernel, 16);
  EXPECT_EQ(of_kernel, of_function);
  int grid = 0, block = 0;
  EXPECT_EQ(cu.cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel_, nullptr, 0, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(block, 1024);
  size_t bytes = 0;
  EXPECT_EQ(cu.cuOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel_, 2, 128), CUDA_SUCCESS);
  EXPECT_GT(bytes, 0u);
}

TEST_F(OccupancyTest, AKernelNeedsAContextToBeAskedIn) {
  CUcontext popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  int blocks = 0;
  EXPECT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, 128, 0),
            CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 128, 0),
            CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(popped), CUDA_SUCCESS);
}

}  // namespace
}  // namespace culprit::fakedriver
