// SPDX-License-Identifier: Apache-2.0
//
// Entries that do in another way what cuLaunchKernel and cuMemcpyAsync do: the launches of before
// CUDA 4, and many copies in one call.
#include <cstdint>
#include <vector>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using ::testing::IsEmpty;

constexpr const char* kAddTo = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add_to(.param .u64 data, .param .u32 value, .param .f32 scale)
{
  .reg .b32 %r<6>; .reg .f32 %f<3>; .reg .b64 %a<3>;
  ld.param.u64 %a0, [data]; ld.param.u32 %r0, [value]; ld.param.f32 %f0, [scale];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %a1, %r4, 4; add.u64 %a2, %a0, %a1;
  cvt.rn.f32.u32 %f1, %r0; mul.f32 %f2, %f1, %f0; cvt.rzi.u32.f32 %r5, %f2;
  st.global.u32 [%a2], %r5;
  ret;
}
)";

class LaunchEntriesTest : public testing::DriverTest {
 protected:
  LaunchEntriesTest() {
    Start();
    NewContext();
    CUmodule module = nullptr;
    EXPECT_EQ(cu.cuModuleLoadData(&module, kAddTo), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuModuleGetFunction(&add_to_, module, "add_to"), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemAlloc_v2(&data_, 64 * sizeof(uint32_t)), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemsetD32_v2(data_, 0, 64), CUDA_SUCCESS);
  }

  std::vector<uint32_t> Data() {
    std::vector<uint32_t> data(64);
    EXPECT_EQ(cu.cuMemcpyDtoH_v2(data.data(), data_, 64 * sizeof(uint32_t)), CUDA_SUCCESS);
    return data;
  }

  CUfunction add_to_ = nullptr;
  CUdeviceptr data_ = 0;
};

TEST_F(LaunchEntriesTest, ALaunchTakesWhatWasSetOnTheFunction) {
  ASSERT_EQ(cu.cuFuncSetBlockShape(add_to_, 8, 1, 1), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuFuncSetSharedSize(add_to_, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuParamSetv(add_to_, 0, &data_, sizeof data_), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuParamSeti(add_to_, 8, 21), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuParamSetf(add_to_, 12, 2.0f), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuParamSetSize(add_to_, 16), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchGrid(add_to_, 2, 1), CUDA_SUCCESS);
  std::vector<uint32_t> expected(64);
  std::fill_n(expected.begin(), 16, 42u);
  EXPECT_EQ(Data(), expected);

  ASSERT_EQ(cu.cuParamSeti(add_to_, 8, 4), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunch(add_to_), CUDA_SUCCESS);
  std::fill_n(expected.begin(), 8, 8u);
  EXPECT_EQ(Data(), expected);

  CUstream stream = NewStream();
  ASSERT_EQ(cu.cuParamSeti(add_to_, 8, 5), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuLaunchGridAsync(add_to_, 8, 1, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuParamSeti(add_to_, 8, 6), CUDA_SUCCESS);  // no part of that launch
  ASSERT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(Data(), std::vector<uint32_t>(64, 10u));
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(LaunchEntriesTest, ShapesAndOffsetsThatCannotBeAreRefused) {
  EXPECT_EQ(cu.cuFuncSetBlockShape(add_to_, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuParamSeti(add_to_, -4, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuParamSetv(add_to_, 0, nullptr, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuParamSetSize(add_to_, 1 << 20), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuLaunchGrid(add_to_, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuLaunch(nullptr), CUDA_ERROR_INVALID_HANDLE);
}

class CopyBatchTest : public LaunchEntriesTest {
 protected:
  CopyBatchTest() { attributes_.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM; }

  CUresult Copy(std::vector<CUdeviceptr> to, std::vector<CUdeviceptr> from,
                std::vector<size_t> sizes, CUstream stream) {
    size_t first = 0;
    failed_ = 99;
    return cu.cuMemcpyBatchAsync(to.data(), from.data(), sizes.data(), sizes.size(), &attributes_,
                                 &first, 1, &failed_, stream);
  }
  static CUdeviceptr Address(const void* host) { return reinterpret_cast<CUdeviceptr>(host); }

  CUmemcpyAttributes attributes_{};
  size_t failed_ = 0;
};

TEST_F(CopyBatchTest, EachCopyIsMade) {
  CUstream stream = NewStream();
  const uint32_t source[] = {1, 2, 3};
  ASSERT_EQ(Copy({data_, data_ + 8}, {Address(source), Address(source + 2)}, {8, 4}, stream),
            CUDA_SUCCESS);
  ASSERT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  std::vector<uint32_t> expected(64);
  expected[0] = 1;
  expected[1] = 2;
  expected[2] = 3;
  EXPECT_EQ(Data(), expected);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(CopyBatchTest, ASourceReadDuringTheCallMayChangeAfterIt) {
  Start({{"policy", "lazy"}});
  NewContext();
  ASSERT_EQ(cu.cuMemAlloc_v2(&data_, 256), CUDA_SUCCESS);
  CUstream stream = NewStream();
  attributes_.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
  uint32_t source = 5;
  ASSERT_EQ(Copy({data_}, {Address(&source)}, {4}, stream), CUDA_SUCCESS);
  source = 6;
  ASSERT_EQ(cu.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(Data()[0], 5u);
  EXPECT_THAT(Rules(), IsEmpty());
}

TEST_F(CopyBatchTest, TheCopyThatCannotBeIsNamed) {
  CUstream stream = NewStream();
  EXPECT_EQ(Copy({data_, data_}, {data_ + 64, data_ + 64}, {4, 1 << 20}, stream),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(failed_, 1u);
  EXPECT_EQ(Copy({}, {}, {}, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(failed_, SIZE_MAX);
}

}  // namespace
}  // namespace culprit::fakedriver
