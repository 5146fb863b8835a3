// SPDX-License-Identifier: Apache-2.0
//
// Two streams and some words of device memory that both use.
#ifndef FAKEDRIVER_HANDLERS_TESTING_STREAM_RACES_H_
#define FAKEDRIVER_HANDLERS_TESTING_STREAM_RACES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {

inline constexpr uint32_t kWords = 1024;
inline constexpr size_t kBytes = kWords * sizeof(uint32_t);
inline constexpr uint32_t kThreads = 64;

// `fill` stores and `sum` reads the words first, first + step, ...; `count` adds atomically to the
// first word; `wait` polls a word before it reads the next one.
inline constexpr const char* kKernels = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry fill(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b32 %r<5>; .reg .b64 %a<3>;
  ld.param.u64 %a0, [data]; ld.param.u32 %r0, [first]; ld.param.u32 %r1, [step];
  mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r2, %r1, %r0;
  mul.wide.u32 %a1, %r3, 4; add.u64 %a2, %a0, %a1;
  st.global.u32 [%a2], %r2;
  ret;
}
.visible .entry sum(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b32 %r<6>; .reg .b64 %a<3>;
  ld.param.u64 %a0, [data]; ld.param.u32 %r0, [first]; ld.param.u32 %r1, [step];
  mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r2, %r1, %r0;
  mul.wide.u32 %a1, %r3, 4; add.u64 %a2, %a0, %a1;
  ld.global.u32 %r4, [%a2];
  ret;
}
.visible .entry count(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b64 %a<1>;
  ld.param.u64 %a0, [data];
  red.global.add.u32 [%a0], 1;
  ret;
}
.visible .entry wait(.param .u64 data, .param .u32 first, .param .u32 step)
{
  .reg .b32 %r<3>; .reg .b64 %a<1>; .reg .pred %p<1>;
  ld.param.u64 %a0, [data];
AGAIN:
  ld.volatile.global.u32 %r0, [%a0];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra AGAIN;
  ld.global.u32 %r1, [%a0+4];
  ret;
}
)";

class StreamRacesTest : public testing::DriverTest {
 protected:
  void Begin(const char* policy) {
    Start({{"policy", policy}});
    NewContext();
    ASSERT_EQ(cu.cuModuleLoadData(&module_, kKernels), CUDA_SUCCESS);
    one_ = NewStream();
    other_ = NewStream();
    ASSERT_EQ(cu.cuMemAlloc_v2(&data_, kBytes), CUDA_SUCCESS);
  }

  void Launch(const char* kernel, CUstream stream, uint32_t first = 0, uint32_t step = 1) {
    CUfunction function = nullptr;
    ASSERT_EQ(cu.cuModuleGetFunction(&function, module_, kernel), CUDA_SUCCESS);
    void* parameters[] = {&data_, &first, &step};
    ASSERT_EQ(cu.cuLaunchKernel(function, 1, 1, 1, kThreads, 1, 1, 0, stream, parameters, nullptr),
              CUDA_SUCCESS);
  }
  void Set(CUstream stream) {
    ASSERT_EQ(cu.cuMemsetD8Async(data_, 0, kBytes, stream), CUDA_SUCCESS);
  }

  // What came of it once everything has run.
  std::vector<std::string> Outcome() {
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
    return Rules();
  }

  CUmodule module_ = nullptr;
  CUstream one_ = nullptr;
  CUstream other_ = nullptr;
  CUdeviceptr data_ = 0;
};

inline constexpr const char* kRace = "memory.race_between_streams";

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_HANDLERS_TESTING_STREAM_RACES_H_
