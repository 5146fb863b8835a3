// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/address_runs.h"

#include <gmock/gmock.h>

#include <cstring>

namespace culprit::fakedriver {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kRoom = uint64_t{1} << 30;

// Four granules at a time, and which runs may mean something new.
struct Runs {
  explicit Runs(uint64_t quarantine)
      : runs(4 * kGranule, quarantine,
             [this](const AddressRun& run) { left.push_back(run.base); }) {}

  std::vector<uint64_t> left;
  AddressRuns runs;
};

TEST(AddressRunsTest, FollowOneAnotherInAChunk) {
  Runs of(kRoom);
  const uint64_t first = of.runs.Take(kGranule, kGranule);
  EXPECT_EQ(of.runs.Take(2 * kGranule, kGranule), first + kGranule);
  EXPECT_EQ(of.runs.reserved_bytes(), 4 * kGranule);
}

TEST(AddressRunsTest, WhatAChunkHasNoRoomForIsInTheNextAndItsRestIsStillTaken) {
  Runs of(kRoom);
  const uint64_t first = of.runs.Take(3 * kGranule, kGranule);
  const uint64_t second = of.runs.Take(2 * kGranule, kGranule);
  EXPECT_NE(second, first + 3 * kGranule);
  EXPECT_EQ(of.runs.Take(kGranule, kGranule), first + 3 * kGranule);
}

TEST(AddressRunsTest, BeginAtTheAlignmentAskedFor) {
  Runs of(kRoom);
  of.runs.Take(kGranule, kGranule);
  EXPECT_EQ(of.runs.Take(kGranule, 16 * kGranule) % (16 * kGranule), 0u);
}

TEST(AddressRunsTest, NoSizeHasNoAddress) { EXPECT_EQ(Runs(kRoom).runs.Take(0, kGranule), 0u); }

TEST(AddressRunsTest, AreNotTakenAgainWhileQuarantineHasRoom) {
  Runs of(2 * kGranule);
  const uint64_t base = of.runs.Take(4 * kGranule, kGranule);
  of.runs.Quarantine({base, kGranule});
  of.runs.Quarantine({base + kGranule, kGranule});
  EXPECT_THAT(of.left, ElementsAre());
  EXPECT_GE(of.runs.Take(kGranule, kGranule) - base, 4 * kGranule);
}

TEST(AddressRunsTest, LeaveQuarantineOldestFirst) {
  Runs of(kGranule);
  const uint64_t base = of.runs.Take(4 * kGranule, kGranule);
  of.runs.Quarantine({base + kGranule, kGranule});
  of.runs.Quarantine({base, kGranule});
  EXPECT_THAT(of.left, ElementsAre(base + kGranule));
  EXPECT_EQ(of.runs.Take(kGranule, kGranule), base + kGranule);
}

TEST(AddressRunsTest, AreTakenAgainNewestFirstWithoutQuarantine) {
  Runs of(0);
  const uint64_t base = of.runs.Take(4 * kGranule, kGranule);
  of.runs.Quarantine({base, kGranule});
  of.runs.Quarantine({base + kGranule, kGranule});
  EXPECT_EQ(of.runs.Take(kGranule, kGranule), base + kGranule);
  EXPECT_EQ(of.runs.Take(kGranule, kGranule), base);
}

TEST(AddressRunsTest, ARecycledRunIsSplit) {
  Runs of(0);
  const uint64_t base = of.runs.Take(4 * kGranule, kGranule);
  of.runs.Quarantine({base, 4 * kGranule});
  EXPECT_EQ(of.runs.Take(kGranule, kGranule), base);
  EXPECT_EQ(of.runs.Take(3 * kGranule, kGranule), base + kGranule);
}

TEST(AddressRunsTest, MemoryBehindAnAddressIsFoundBothWaysAndReadsAsZerosWhenDiscarded) {
  Runs of(kRoom);
  const uint64_t base = of.runs.Take(kGranule, kGranule);
  std::byte* backing = of.runs.BackingOf(base);
  ASSERT_NE(backing, nullptr);
  EXPECT_EQ(of.runs.AddressOf(backing), base);
  std::memset(backing, 7, kGranule);
  of.runs.Discard(base, kGranule);
  EXPECT_EQ(backing[0], std::byte{0});
  EXPECT_EQ(of.runs.BackingOf(base - kRoom), nullptr);
  EXPECT_EQ(of.runs.AddressOf(reinterpret_cast<const std::byte*>(base)), std::nullopt);
}

}  // namespace
}  // namespace culprit::fakedriver
