// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace culprit::fakedriver {
namespace {

using State = AddressSpace::State;

constexpr uint64_t kQuarantine = uint64_t{64} << 20;

// Contexts are not needed here; the owner that granules are shared by is the device.
Ref<Allocation> Sized(uint64_t size, int device = 0) {
  return Make<Allocation>(MemoryKind::kDevice, nullptr, device, size);
}

AddressSpaceSettings Small(uint64_t quarantine) {
  AddressSpaceSettings settings;
  settings.chunk_bytes = 32 * kGranule;
  settings.quarantine_bytes = quarantine;
  return settings;
}

class AddressSpaceTest : public ::testing::Test {
 protected:
  Ref<Allocation> Placed(uint64_t size, int device = 0) {
    auto allocation = Sized(size, device);
    EXPECT_TRUE(space_.Place(allocation));
    return allocation;
  }

  AddressSpace space_{Small(kQuarantine)};
};

TEST_F(AddressSpaceTest, BasesAreAlignedAndDistinct) {
  auto first = Placed(1000);
  auto second = Placed(1);
  auto big = Placed(5 * kGranule + 1);
  EXPECT_EQ(first->base() % 512, 0u);
  EXPECT_EQ(second->base(), first->base() + 1024);
  EXPECT_EQ(big->base() % kGranule, 0u);
}

TEST_F(AddressSpaceTest, BackingReadsAsZeroAndKeepsWhatIsWritten) {
  auto allocation = Placed(4096);
  EXPECT_EQ(allocation->backing()[4095], std::byte{0});
  std::memset(allocation->backing(), 7, 4096);
  EXPECT_EQ(space_.Find(allocation->base() + 4095)->backing()[4095], std::byte{7});
}

TEST_F(AddressSpaceTest, TheHostCannotTouchDeviceAddresses) {
  auto allocation = Placed(4096);
  const auto touch = [&] {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer would end the process in its own way
    *reinterpret_cast<volatile char*>(allocation->base()) = 1;
  };
  EXPECT_EXIT(touch(), ::testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(AddressSpaceTest, InteriorPointersAreFoundToTheByte) {
  auto allocation = Placed(1000);
  EXPECT_EQ(space_.Find(allocation->base() + 999).get(), allocation.get());
  EXPECT_EQ(space_.Find(allocation->base() + 1000).get(), nullptr);
  EXPECT_EQ(space_.Find(allocation->base() - 1).get(), nullptr);
  EXPECT_EQ(space_.Find(0x42).get(), nullptr);
}

TEST_F(AddressSpaceTest, BesideASmallAllocationTheGranuleIsMapped) {
  auto allocation = Placed(64);
  auto located = space_.Locate(allocation->base() + 64);
  EXPECT_EQ(located.state, State::kPadding);
  EXPECT_EQ(located.allocation.get(), allocation.get());
  EXPECT_EQ(located.base, allocation->base() + 64);
  EXPECT_EQ(located.base + located.size, allocation->base() / kGranule * kGranule + kGranule);
  EXPECT_EQ(space_.Locate(allocation->base() + kGranule).state, State::kUnmapped);
  EXPECT_EQ(space_.Locate(0x10).state, State::kUnmapped);
}

TEST_F(AddressSpaceTest, ABigAllocationIsPaddedToItsGranule) {
  auto allocation = Placed(kGranule + 1);
  EXPECT_EQ(space_.Locate(allocation->end()).state, State::kPadding);
  EXPECT_EQ(space_.Locate(allocation->base() + 2 * kGranule).state, State::kUnmapped);
}

TEST_F(AddressSpaceTest, FreedMemoryIsRememberedAndNotReused) {
  auto keeper = Placed(64);
  auto gone = Placed(64);
  EXPECT_EQ(space_.Remove(gone->base()).get(), gone.get());
  EXPECT_EQ(space_.Remove(gone->base()).get(), nullptr);
  EXPECT_EQ(space_.FindFreed(gone->base() + 63).get(), gone.get());
  EXPECT_EQ(space_.Locate(gone->base()).state, State::kFreed);
  EXPECT_NE(Placed(64)->base(), gone->base());
  EXPECT_EQ(space_.Locate(keeper->base()).state, State::kLive);
}

TEST_F(AddressSpaceTest, AGranuleWithNothingAliveIsUnmappedButNamed) {
  auto gone = Placed(3 * kGranule);
  space_.Remove(gone->base());
  auto located = space_.Locate(gone->base() + 5);
  EXPECT_EQ(located.state, State::kUnmapped);
  EXPECT_EQ(located.allocation.get(), gone.get());
}

TEST_F(AddressSpaceTest, QuarantinedAddressesComeBackInTheEndAndAreZero) {
  auto first = Placed(2 * kGranule);
  std::memset(first->backing(), 9, first->size());
  const uint64_t base = first->base();
  space_.Remove(base);
  bool reused = false;
  for (int i = 0; i < 100 && !reused; ++i) {
    auto next = Placed(2 * kGranule);
    reused = next->base() == base;
    EXPECT_EQ(next->backing()[0], std::byte{0});
    space_.Remove(next->base());
  }
  EXPECT_TRUE(reused);
  EXPECT_LE(space_.reserved_bytes(), 3 * kQuarantine);
}

TEST_F(AddressSpaceTest, OwnersDoNotShareGranules) {
  EXPECT_NE(Placed(64, 0)->base() / kGranule, Placed(64, 1)->base() / kGranule);
}

TEST_F(AddressSpaceTest, OverlapSeesAnySharedByte) {
  auto allocation = Placed(100);
  EXPECT_EQ(space_.FindOverlap(allocation->base() + 99, 1).get(), allocation.get());
  EXPECT_EQ(space_.FindOverlap(allocation->base() - 10, 11).get(), allocation.get());
  EXPECT_EQ(space_.FindOverlap(allocation->base() + 100, 50).get(), nullptr);
}

TEST_F(AddressSpaceTest, HostMemoryIsPaddedToItsPage) {
  auto host = Make<Allocation>(MemoryKind::kPinned, nullptr, 0, 64);
  host->SetPlace(0x500000001000, nullptr, 0x500000002000);
  space_.Add(host);
  EXPECT_EQ(space_.Locate(host->base() + 64).state, State::kPadding);
  EXPECT_EQ(space_.Locate(host->base() + 4096).state, State::kUnmapped);
}

TEST_F(AddressSpaceTest, ReservedAddressesHaveNoMemory) {
  const uint64_t base = space_.Reserve(3 * kGranule, 8 * kGranule);
  ASSERT_NE(base, 0u);
  EXPECT_EQ(base % (8 * kGranule), 0u);
  EXPECT_EQ(space_.Locate(base).state, State::kUnmapped);
  space_.Unreserve(base, 3 * kGranule);
}

TEST_F(AddressSpaceTest, AnImpossibleSizeIsRefused) {
  EXPECT_FALSE(space_.Place(Sized(uint64_t{1} << 60)));
  EXPECT_FALSE(space_.Place(Sized(~uint64_t{0})));
}

TEST(AddressSpaceReuseTest, NewestFreedAddressComesFirst) {
  AddressSpace space(Small(0));
  auto keeper = Sized(64);
  auto small = Sized(64);
  auto big = Sized(4 * kGranule);
  ASSERT_TRUE(space.Place(keeper) && space.Place(small) && space.Place(big));
  space.Remove(small->base());
  space.Remove(big->base());
  auto small_again = Sized(64);
  auto big_again = Sized(4 * kGranule);
  ASSERT_TRUE(space.Place(small_again) && space.Place(big_again));
  EXPECT_EQ(small_again->base(), small->base());
  EXPECT_EQ(big_again->base(), big->base());
  EXPECT_EQ(space.FindFreed(small->base()).get(), nullptr);
}

TEST(AddressSpaceTrackingTest, WrittenStartsAtZeroAndFreshBytesAreFilled) {
  AddressSpaceSettings settings;
  settings.track_writes = true;
  settings.fresh_byte = 0xcd;
  AddressSpace space(settings);
  auto allocation = Sized(10);
  ASSERT_TRUE(space.Place(allocation));
  EXPECT_EQ(allocation->written()[9], 0);
  EXPECT_EQ(allocation->backing()[9], std::byte{0xcd});
}

// More than the host has.
TEST(AddressSpaceTrackingTest, WrittenCostsMemoryOnlyWhereItIsUsed) {
  AddressSpaceSettings settings;
  settings.track_writes = true;
  AddressSpace space(settings);
  auto allocation = Sized(uint64_t{100} << 30);
  if (!space.Place(allocation)) GTEST_SKIP() << "no addresses for so much";
  ASSERT_NE(allocation->written(), nullptr);
  allocation->MarkWritten(allocation->base() + allocation->size() - 1, 1);
  EXPECT_EQ(allocation->written()[allocation->size() - 1], 1);
  EXPECT_EQ(allocation->written()[allocation->size() - 2], 0);
}

TEST(AddressSpaceLimitTest, WorksUnderAnAddressSpaceLimitAndLeavesRoom) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve more address space than such a limit allows";
#endif
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{uint64_t{1} << 30, uint64_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
    AddressSpace space;
    for (int i = 0; i < 2000; ++i) {
      auto allocation = Sized(8 << 20);
      if (!space.Place(allocation)) _exit(1);
      allocation->backing()[0] = std::byte{1};
      space.Remove(allocation->base());
    }
    void* other = malloc(500 << 20);
    _exit(other == nullptr ? 2 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(AddressSpaceThreadsTest, LookupsRunBesideChanges) {
  AddressSpace space(Small(kQuarantine));
  auto fixed = Sized(4096);
  ASSERT_TRUE(space.Place(fixed));
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    while (!stop) {
      if (space.Find(fixed->base() + 100).get() != fixed.get()) ++wrong;
      if (space.Locate(fixed->base() + 4096).state == State::kUnmapped) ++wrong;
    }
  });
  for (uint64_t i = 0; i < 5000; ++i) {
    auto allocation = Sized(i % 3 == 0 ? 3 * kGranule : 700, static_cast<int>(i % 2));
    ASSERT_TRUE(space.Place(allocation));
    ASSERT_EQ(space.Remove(allocation->base()).get(), allocation.get());
  }
  stop = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace culprit::fakedriver
