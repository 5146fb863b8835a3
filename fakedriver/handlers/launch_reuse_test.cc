// SPDX-License-Identifier: Apache-2.0
//
// A launch whose inputs were seen before has the outcome that it would have had, and everything
// that makes a launch another one is noticed.
#include <array>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {
namespace {

using Values = std::array<uint32_t, 4>;

// add: adds a number to each of four; note_time: writes the clock; beyond: reads behind the array.
constexpr char kKernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 values, .param .u32 number) {
  .reg .u64 %rd<4>;
  .reg .u32 %r<4>;
  ld.param.u64 %rd1, [values];
  ld.param.u32 %r1, [number];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%rd3], %r3;
  ret;
}
.visible .entry note_time(.param .u64 values, .param .u32 number) {
  .reg .u64 %rd<4>;
  ld.param.u64 %rd1, [values];
  mov.u64 %rd2, %clock64;
  st.global.u64 [%rd1], %rd2;
  ret;
}
.visible .entry beyond(.param .u64 values, .param .u32 number) {
  .reg .u64 %rd<4>;
  .reg .u32 %r<4>;
  ld.param.u64 %rd1, [values];
  ld.global.u32 %r1, [%rd1+4096];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

class LaunchReuseTest : public testing::DriverTest {
 protected:
  LaunchReuseTest() {
    fake_.table().reuse_launches(1);
    Begin();
  }
  ~LaunchReuseTest() override { fake_.table().reuse_launches(0); }

  // A life cycle of its own, as a harness has many of them in one process.
  void Begin() {
    Start({{"policy", "eager"}});
    NewContext();
    ASSERT_EQ(cu.cuModuleLoadData(&module_, kKernels), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemAlloc_v2(&memory_, sizeof(Values)), CUDA_SUCCESS);
  }

  Values Launch(const char* kernel, const Values& values, uint32_t number) {
    CUfunction function = nullptr;
    EXPECT_EQ(cu.cuModuleGetFunction(&function, module_, kernel), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemcpyHtoD_v2(memory_, values.data(), sizeof(values)), CUDA_SUCCESS);
    void* parameters[] = {&memory_, &number};
    EXPECT_EQ(cu.cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr),
              CUDA_SUCCESS);
    Values result{};
    EXPECT_EQ(cu.cuMemcpyDtoH_v2(result.data(), memory_, sizeof(result)), CUDA_SUCCESS);
    return result;
  }

  // What was launched while `run` ran.
  template <typename Run>
  culprit_launches Launched(const Run& run) {
    const culprit_launches before = fake_.Launches();
    run();
    const culprit_launches after = fake_.Launches();
    return {.size = after.size,
            .all = after.all - before.all,
            .reused = after.reused - before.reused,
            .lane_instructions = after.lane_instructions - before.lane_instructions};
  }
  // Launches that were not computed while `run` ran.
  template <typename Run>
  uint64_t Reused(const Run& run) {
    return Launched(run).reused;
  }

  CUmodule module_ = nullptr;
  CUdeviceptr memory_ = 0;
};

TEST_F(LaunchReuseTest, GivesTheSameOutcomeWithoutComputingIt) {
  const Values first = Launch("add", {1, 2, 3, 4}, 100);
  EXPECT_EQ(first, (Values{101, 102, 103, 104}));
  EXPECT_EQ(Reused([&] { EXPECT_EQ(Launch("add", {1, 2, 3, 4}, 100), first); }), 1U);
}

TEST_F(LaunchReuseTest, CountsTheInstructionsOfWhatWasComputedOnly) {
  const auto launch = [&] { Launch("add", {7, 7, 1, 7}, 3); };
  const culprit_launches computed = Launched(launch);
  EXPECT_EQ(computed.all, 1U);
  EXPECT_NE(computed.lane_instructions, 0U);
  EXPECT_EQ(computed.lane_instructions % 4, 0U) << "the kernel has no branch and four threads";
  const culprit_launches reused = Launched(launch);
  EXPECT_EQ(reused.all, 1U);
  EXPECT_EQ(reused.lane_instructions, 0U);
}

TEST_F(LaunchReuseTest, OutlivesAReset) {
  Launch("add", {5, 6, 7, 8}, 1);
  Begin();
  EXPECT_EQ(Reused([&] { EXPECT_EQ(Launch("add", {5, 6, 7, 8}, 1), (Values{6, 7, 8, 9})); }), 1U);
}

TEST_F(LaunchReuseTest, NoticesOtherMemoryAndOtherParameters) {
  Launch("add", {9, 9, 9, 9}, 1);
  EXPECT_EQ(Reused([&] {
              EXPECT_EQ(Launch("add", {9, 9, 9, 8}, 1), (Values{10, 10, 10, 9}));
              EXPECT_EQ(Launch("add", {9, 9, 9, 9}, 2), (Values{11, 11, 11, 11}));
            }),
            0U);
}

TEST_F(LaunchReuseTest, ComputesWhatDependsOnTheClockEveryTime) {
  const Values first = Launch("note_time", {}, 0);
  EXPECT_EQ(Reused([&] { EXPECT_NE(Launch("note_time", {}, 0), first); }), 0U);
}

TEST_F(LaunchReuseTest, ComputesWhatHasFindingsEveryTime) {
  Launch("beyond", {1, 1, 1, 1}, 0);
  const uint32_t findings = fake_.FindingCount();
  EXPECT_GT(findings, 0U);
  EXPECT_EQ(Reused([&] { Launch("beyond", {1, 1, 1, 1}, 0); }), 0U);
}

TEST_F(LaunchReuseTest, DoesNothingUnlessItIsSwitchedOn) {
  fake_.table().reuse_launches(0);
  Launch("add", {2, 2, 2, 2}, 3);
  EXPECT_EQ(Reused([&] { Launch("add", {2, 2, 2, 2}, 3); }), 0U);
}

}  // namespace
}  // namespace culprit::fakedriver
