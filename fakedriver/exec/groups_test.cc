// SPDX-License-Identifier: Apache-2.0
//
// The kernels of testdata/groups.cu: cooperative groups, half precision and asynchronous barriers
// as nvcc compiles them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "fakedriver/exec/machine/half.h"
#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using ::testing::ElementsAreArray;
using testing::Pack;

class Groups : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_TRUE(device_.LoadFile(GetParam())) << device_.error.ToLogLine(); }

  void Run(std::string_view kernel, Dim3 grid, Dim3 block,
           const std::vector<std::byte>& arguments) {
    LaunchResult result = device_.Run(kernel, grid, block, arguments);
    ASSERT_TRUE(result.ok()) << result.fault->message << " at line "
                             << result.fault->where.ptx_line;
    EXPECT_THAT(result.findings, ::testing::IsEmpty());
  }

  testing::TestDevice device_;
};

TEST_P(Groups, AGridWaitsForAllItsBlocks) {
  constexpr int kCount = 5 * 64 - 3;
  std::vector<int> expected;
  for (int i = 0; i < kCount; ++i) expected.push_back((kCount - 1 - i) * 2 + 1);
  uint64_t data = device_.memory.Allocate(kCount * 4);
  device_.cooperative = true;
  Run("grid_phases", {5, 1, 1}, {64, 1, 1}, Pack(data, kCount));
  EXPECT_THAT(device_.memory.Download<int>(data, kCount), ElementsAreArray(expected));
}

TEST_P(Groups, TilesReduceAndCoalescedLanesAreCounted) {
  std::vector<int> in;
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) in.push_back(i * i);
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int j = i / 8 * 8; j < i / 8 * 8 + 8; ++j) sum += in[static_cast<size_t>(j)];
    int third = 0;
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) third += j % 3 == 0 ? 1 : 0;
    expected.push_back(sum + 32 + (i % 3 == 0 ? 1000 * third : 0));
  }
  uint64_t out = device_.memory.Allocate(256);
  Run("tiles", {1, 1, 1}, {64, 1, 1}, Pack(device_.memory.Upload(in), out));
  EXPECT_THAT(device_.memory.Download<int>(out, 64), ElementsAreArray(expected));
}

TEST_P(Groups, PairsOfHalvesAreFused) {
  std::vector<uint32_t> a;
  std::vector<uint32_t> b;
  std::vector<uint32_t> expected;
  // Small whole numbers, for which every operation is exact.
  auto pair = [](float low, float high) {
    return uint32_t{FloatToHalf(high)} << 16 | FloatToHalf(low);
  };
  for (int i = 0; i < 32; ++i) {
    float x = static_cast<float>(i - 16);
    float y = static_cast<float>(i % 5);
    a.push_back(pair(x, y));
    b.push_back(pair(y, x));
    expected.push_back(pair(x * y + x + 0.5f, y * x + y + 0.5f));
  }
  uint64_t out = device_.memory.Allocate(128);
  Run("halves", {1, 1, 1}, {32, 1, 1},
      Pack(device_.memory.Upload(a), device_.memory.Upload(b), out));
  EXPECT_THAT(device_.memory.Download<uint32_t>(out, 32), ElementsAreArray(expected));
}

TEST_P(Groups, ASplitBarrierHoldsUntilAllHaveArrived) {
  std::vector<int> in;
  std::vector<int> expected;
  for (int i = 0; i < 128; ++i) in.push_back(3 * i + 1);
  for (size_t i = 0; i < 128; ++i) expected.push_back(in[i] * 10 + in[(i + 64) % 128]);
  uint64_t out = device_.memory.Allocate(512);
  Run("split_barrier", {1, 1, 1}, {128, 1, 1}, Pack(device_.memory.Upload(in), out));
  EXPECT_THAT(device_.memory.Download<int>(out, 128), ElementsAreArray(expected));
}

INSTANTIATE_TEST_SUITE_P(Ptx, Groups, ::testing::Values("groups.sm80.ptx", "groups.sm90.ptx"),
                         [](const auto& info) { return std::string(info.param).substr(7, 4); });

}  // namespace
}  // namespace culprit::exec
