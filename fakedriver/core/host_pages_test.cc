// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/host_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <set>

namespace culprit::fakedriver {
namespace {

constexpr uint64_t kPage = HostPages::kPage;

bool IsMapped(std::byte* page) {
  unsigned char resident = 0;
  return mincore(page, kPage, &resident) == 0;
}

TEST(HostPagesTest, PagesAreZeroAndCanBeWritten) {
  HostPages pages(0);
  std::byte* two = pages.Map(2 * kPage);
  ASSERT_NE(two, nullptr);
  EXPECT_EQ(two[2 * kPage - 1], std::byte{0});
  two[0] = std::byte{7};
  EXPECT_EQ(two[0], std::byte{7});
  pages.Unmap(two, 2 * kPage);
}

TEST(HostPagesTest, AddressesComeBackOnlyWhenTheQuarantineIsFull) {
  HostPages pages(64 * kPage);
  std::set<std::byte*> seen;
  for (int i = 0; i < 32; ++i) {
    std::byte* page = pages.Map(kPage);
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(seen.insert(page).second) << "given out again after " << i;
    pages.Unmap(page, kPage);
  }
  std::byte* first = *seen.begin();
  EXPECT_TRUE(IsMapped(first)) << "kept aside";
}

TEST(HostPagesTest, AFullQuarantineGivesTheOldestBack) {
  HostPages pages(4 * kPage);  // two of these
  std::byte* ranges[3];
  for (std::byte*& range : ranges) range = pages.Map(kPage);
  for (std::byte* range : ranges) pages.Unmap(range, kPage);
  EXPECT_FALSE(IsMapped(ranges[0]));
  EXPECT_TRUE(IsMapped(ranges[1]));
  EXPECT_TRUE(IsMapped(ranges[2]));
}

TEST(HostPagesTest, WithoutAQuarantineTheSystemHasThemAtOnce) {
  HostPages pages(0);
  std::byte* page = pages.Map(kPage);
  pages.Unmap(page, kPage);
  EXPECT_FALSE(IsMapped(page));
}

TEST(HostPagesTest, NothingIsLeftMappedAtTheEnd) {
  std::byte* page = nullptr;
  {
    HostPages pages(HostPages::DefaultQuarantine());
    page = pages.Map(kPage);
    pages.Unmap(page, kPage);
    EXPECT_TRUE(IsMapped(page));
  }
  EXPECT_FALSE(IsMapped(page));
}

TEST(HostPagesDeathTest, AStalePointerFaults) {
  HostPages pages(HostPages::DefaultQuarantine());
  std::byte* page = pages.Map(kPage);
  pages.Unmap(page, kPage);
  EXPECT_DEATH(*const_cast<volatile std::byte*>(page) = std::byte{1}, "");
}

}  // namespace
}  // namespace culprit::fakedriver
