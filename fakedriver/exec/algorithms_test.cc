// SPDX-License-Identifier: Apache-2.0
//
// The kernels of testdata/algorithms.cu as compiled for three targets, optimised and not, against
// the same computed here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "fakedriver/exec/testing/test_device.h"

namespace culprit::exec {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using testing::Pack;

class Algorithms : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_TRUE(device_.LoadFile(GetParam())) << device_.error.ToLogLine(); }

  void Run(std::string_view kernel, Dim3 grid, Dim3 block, const std::vector<std::byte>& arguments,
           uint32_t shared = 0) {
    LaunchResult result = device_.Run(kernel, grid, block, arguments, shared);
    ASSERT_TRUE(result.ok()) << result.fault->message << " at line "
                             << result.fault->where.ptx_line;
    EXPECT_THAT(result.findings, IsEmpty());
  }

  std::vector<int> RandomInts(size_t count, int low, int high) {
    std::uniform_int_distribution<int> value(low, high);
    std::vector<int> values(count);
    for (int& v : values) v = value(random_);
    return values;
  }

  testing::TestDevice device_;
  std::mt19937 random_{20240601};
};

TEST_P(Algorithms, VectorAdd) {
  std::vector<float> a(1000);
  std::vector<float> b(1000);
  std::vector<float> sum(1000);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i) * 0.37f;
    b[i] = 1.0f / static_cast<float>(i + 1);
    sum[i] = a[i] + b[i];
  }
  uint64_t out = device_.memory.Allocate(4000);
  Run("vector_add", {4, 1, 1}, {256, 1, 1},
      Pack(device_.memory.Upload(a), device_.memory.Upload(b), out, 1000));
  EXPECT_THAT(device_.memory.Download<float>(out, 1000), ElementsAreArray(sum));
}

TEST_P(Algorithms, BlockSum) {
  std::vector<int> in = RandomInts(5000, -1000, 1000);
  uint64_t out = device_.memory.Allocate(7 * 4);
  Run("block_sum", {7, 1, 1}, {256, 1, 1}, Pack(device_.memory.Upload(in), out, 5000));
  std::vector<int> sums = device_.memory.Download<int>(out, 7);
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0), std::accumulate(in.begin(), in.end(), 0));
}

TEST_P(Algorithms, WarpSumInSixtyFourBits) {
  std::vector<int64_t> in(3000);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int64_t>(i * i * 1'000'000'007) - 5'000'000'000;
  uint64_t total = device_.memory.Upload(std::vector<int64_t>{0});
  Run("warp_sum", {12, 1, 1}, {256, 1, 1}, Pack(device_.memory.Upload(in), total, 3000));
  EXPECT_EQ(device_.memory.Download<int64_t>(total, 1)[0],
            std::accumulate(in.begin(), in.end(), int64_t{0}));
}

TEST_P(Algorithms, Histogram) {
  std::vector<uint8_t> in(10000);
  std::vector<unsigned> expected(256);
  for (size_t i = 0; i < in.size(); ++i) ++expected[in[i] = static_cast<uint8_t>(i * i >> 3)];
  uint64_t bins = device_.memory.Upload(std::vector<unsigned>(256));
  Run("histogram", {5, 1, 1}, {192, 1, 1}, Pack(device_.memory.Upload(in), bins, 10000), 1024);
  EXPECT_THAT(device_.memory.Download<unsigned>(bins, 256), ElementsAreArray(expected));
}

TEST_P(Algorithms, MatrixMultiplyWithSharedTiles) {
  constexpr int kSize = 48;
  std::vector<float> a(kSize * kSize);
  std::vector<float> b(kSize * kSize);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 17) * 0.25f - 1.0f;
    b[i] = static_cast<float>(i % 13) * 0.3f;
  }
  std::vector<float> c(kSize * kSize);
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      float sum = 0;
      for (int k = 0; k < kSize; ++k) sum = std::fma(a[y * kSize + k], b[k * kSize + x], sum);
      c[y * kSize + x] = sum;
    }
  }
  uint64_t out = device_.memory.Allocate(c.size() * 4);
  Run("matrix_multiply", {3, 3, 1}, {16, 16, 1},
      Pack(device_.memory.Upload(a), device_.memory.Upload(b), out, kSize));
  EXPECT_THAT(device_.memory.Download<float>(out, c.size()), ElementsAreArray(c));
}

TEST_P(Algorithms, PrefixSum) {
  std::vector<int> in = RandomInts(1000, -50, 50);
  std::vector<int> sums(1000);
  std::partial_sum(in.begin(), in.end(), sums.begin());
  uint64_t out = device_.memory.Allocate(4000);
  Run("prefix_sum", {1, 1, 1}, {1024, 1, 1}, Pack(device_.memory.Upload(in), out, 1000));
  EXPECT_THAT(device_.memory.Download<int>(out, 1000), ElementsAreArray(sums));
}

TEST_P(Algorithms, MandelbrotWithLanesLeavingTheLoopApart) {
  constexpr int kWidth = 50;
  constexpr int kHeight = 37;
  std::vector<int> expected(kWidth * kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      double cr = -2.0 + 3.0 * x / kWidth;
      double ci = -1.5 + 3.0 * y / kHeight;
      double zr = 0;
      double zi = 0;
      int n = 0;
      while (n < 200 && zr * zr + zi * zi <= 4.0) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        ++n;
      }
      expected[y * kWidth + x] = n;
    }
  }
  uint64_t out = device_.memory.Allocate(expected.size() * 4);
  Run("mandelbrot", {4, 5, 1}, {16, 8, 1}, Pack(out, kWidth, kHeight, 200));
  EXPECT_THAT(device_.memory.Download<int>(out, expected.size()), ElementsAreArray(expected));
}

TEST_P(Algorithms, BitonicSort) {
  std::vector<int> values = RandomInts(1024, 0, 1 << 30);
  uint64_t data = device_.memory.Upload(values);
  for (int k = 2; k <= 1024; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2)
      Run("bitonic_step", {4, 1, 1}, {256, 1, 1}, Pack(data, j, k));
  }
  std::sort(values.begin(), values.end());
  EXPECT_THAT(device_.memory.Download<int>(data, 1024), ElementsAreArray(values));
}

struct Plane {
  uint64_t data;
  uint32_t stride;
  uint16_t width;
  uint16_t height;
};

TEST_P(Algorithms, BlurredDifferenceOfTwoPlanes) {
  constexpr int kWidth = 83;
  constexpr int kHeight = 21;
  constexpr int kStride = 96;
  const uint32_t taps[5] = {3571, 16004, 26386, 16004, 3571};
  std::vector<uint8_t> planes[2];
  for (int which = 0; which < 2; ++which) {
    for (int value : RandomInts(kStride * kHeight, 0, 255))
      planes[which].push_back(static_cast<uint8_t>(value));
  }
  uint64_t expected = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      uint32_t sums[2] = {0, 0};
      for (int which = 0; which < 2; ++which) {
        for (int i = 0; i < 5; ++i) {
          int row = std::min(std::max(y - 2 + i, 0), kHeight - 1);
          uint32_t line = 0;
          for (int j = 0; j < 5; ++j) {
            int column = std::abs(x - 2 + j);
            if (column >= kWidth) column = 2 * kWidth - column - 1;
            line += taps[j] * planes[which][row * kStride + column];
          }
          sums[which] += taps[i] * ((line + 128) >> 8);
        }
      }
      expected += static_cast<uint64_t>(std::abs(int64_t{sums[0] >> 16} - int64_t{sums[1] >> 16}));
    }
  }
  Plane now{device_.memory.Upload(planes[0]), kStride, kWidth, kHeight};
  Plane before{device_.memory.Upload(planes[1]), kStride, kWidth, kHeight};
  uint64_t sad = device_.memory.Upload(std::vector<uint64_t>{0});
  Run("blur_difference", {6, 6, 1}, {16, 4, 1}, Pack(now, before, sad));
  EXPECT_EQ(device_.memory.Download<uint64_t>(sad, 1)[0], expected);
}

TEST_P(Algorithms, RecursionKeepsEachLanesOwnStack) {
  std::vector<int> fibonacci{0, 1};
  while (fibonacci.size() < 12)
    fibonacci.push_back(fibonacci[fibonacci.size() - 1] + fibonacci[fibonacci.size() - 2]);
  std::vector<int> expected;
  for (size_t i = 0; i < 40; ++i) expected.push_back(fibonacci[i % 12]);
  uint64_t out = device_.memory.Allocate(160);
  Run("recursion", {1, 1, 1}, {40, 1, 1}, Pack(out));
  EXPECT_THAT(device_.memory.Download<int>(out, 40), ElementsAreArray(expected));
}

TEST_P(Algorithms, IndirectCallsGoWhereEachLaneSays) {
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) expected.push_back(i % 2 == 0 ? 2 * i : i * i);
  uint64_t out = device_.memory.Allocate(256);
  Run("indirect", {1, 1, 1}, {64, 1, 1}, Pack(out));
  EXPECT_THAT(device_.memory.Download<int>(out, 64), ElementsAreArray(expected));
}

TEST_P(Algorithms, PrintfFormatsLikeC) {
  Run("print_some", {1, 1, 1}, {32, 1, 1}, Pack(3.14159f));
  EXPECT_EQ(device_.printed,
            "thread 0 of block:  3.14 123456789abc\nthread 1 of block:  3.14 123456789abc\n");
}

TEST_P(Algorithms, LanesOfAWarpTakeALockInTurn) {
  uint64_t lock = device_.memory.Upload(std::vector<int>{0});
  uint64_t counter = device_.memory.Upload(std::vector<int>{0});
  Run("lock_in_warp", {3, 1, 1}, {64, 1, 1}, Pack(lock, counter));
  EXPECT_EQ(device_.memory.Download<int>(counter, 1)[0], 192);
}

TEST_P(Algorithms, BlocksThatWaitForLaterBlocksGoOn) {
  constexpr int kBlocks = 9;
  uint64_t flags = device_.memory.Upload(std::vector<int>(kBlocks));
  uint64_t out = device_.memory.Upload(std::vector<int>(kBlocks));
  Run("chain", {kBlocks, 1, 1}, {32, 1, 1}, Pack(flags, out));
  EXPECT_THAT(device_.memory.Download<int>(out, kBlocks),
              ElementsAreArray({9, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST_P(Algorithms, SwitchesTakeEachLanesOwnCase) {
  std::vector<int> in;
  std::vector<int> expected;
  for (int t = 0; t < 96; ++t) {
    int v = t * 7 % 9;
    in.push_back(v);
    const int results[] = {17, v * 3 + t, -v, v << 4, v ^ 0x55, t / 3, t % 5, -1, -1};
    expected.push_back(results[v]);
  }
  uint64_t out = device_.memory.Allocate(96 * 4);
  Run("switches", {1, 1, 1}, {96, 1, 1}, Pack(device_.memory.Upload(in), out));
  EXPECT_THAT(device_.memory.Download<int>(out, 96), ElementsAreArray(expected));
}

INSTANTIATE_TEST_SUITE_P(Ptx, Algorithms,
                         ::testing::Values("algorithms.sm80.ptx", "algorithms.sm75.O0.ptx",
                                           "algorithms.sm90.ptx"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name = name.substr(name.find('.') + 1);
                           name.resize(name.rfind('.'));
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace culprit::exec
