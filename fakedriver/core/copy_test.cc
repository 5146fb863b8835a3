// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <numeric>
#include <vector>

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;

std::vector<std::byte> Counting(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i);
  return bytes;
}

TEST(SpanTest, LastRowCountsOnlyItsWidth) {
  EXPECT_EQ(SpanOf({100, 10, 1}, 512, 0), 9u * 512 + 100);
  EXPECT_EQ(SpanOf({4, 2, 3}, 8, 100), 200u + 8 + 4);
}

TEST(SpanTest, EmptyExtentsTouchNothing) { EXPECT_EQ(SpanOf({0, 10, 1}, 512, 0), 0u); }

TEST(SpanTest, OverflowIsNoSpan) { EXPECT_EQ(SpanOf({1, ~uint64_t{0}, 1}, 512, 0), std::nullopt); }

TEST(CopyBlockTest, RowsKeepTheirPitches) {
  auto from = Counting(16);
  std::vector<std::byte> to(12, std::byte{0xff});
  CopyBlock({to.data(), 3, 6}, {from.data(), 4, 8}, {2, 2, 2});
  std::vector<int> values;
  for (std::byte b : to) values.push_back(std::to_integer<int>(b));
  EXPECT_THAT(values, ElementsAre(0, 1, 255, 4, 5, 255, 8, 9, 255, 12, 13, 255));
}

TEST(CopyBlockTest, OverlappingRowsMoveAsIfThroughABuffer) {
  auto bytes = Counting(8);
  CopyBlock({bytes.data() + 1, 0, 0}, {bytes.data(), 0, 0}, {7, 1, 1});
  EXPECT_EQ(bytes[7], std::byte{6});
}

TEST(FillBlockTest, WritesWholeElementsOnly) {
  std::vector<std::byte> to(12, std::byte{0});
  FillBlock({to.data(), 0, 0}, {10, 1, 1}, 0x1234, 2);
  EXPECT_EQ(to[8], std::byte{0x34});
  EXPECT_EQ(to[9], std::byte{0x12});
  EXPECT_EQ(to[10], std::byte{0});
}

TEST(HashTest, EveryByteAndTheLengthCount) {
  auto bytes = Counting(100);
  const uint64_t before = HashBytes(bytes.data(), bytes.size());
  for (std::byte& byte : bytes) {
    byte ^= std::byte{1};
    EXPECT_NE(HashBytes(bytes.data(), bytes.size()), before);
    byte ^= std::byte{1};
  }
  EXPECT_NE(HashBytes(bytes.data(), 99), before);
  EXPECT_EQ(HashBytes(bytes.data(), 100), before);
}

TEST(HashTest, UnreadableMemoryHasNoHash) {
  void* pages = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  EXPECT_EQ(HashOfReadable({static_cast<std::byte*>(pages), 0, 0}, {10, 1, 1}), std::nullopt);
  munmap(pages, 4096);
}

}  // namespace
}  // namespace culprit::fakedriver
