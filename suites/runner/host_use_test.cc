// SPDX-License-Identifier: Apache-2.0
//
// The counters, with this program as the subject.
#include "suites/runner/host_use.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdlib>
#include <memory>

#include "suites/runner/block_table.h"

namespace culprit::suites {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounted = false;
#else
constexpr bool kCounted = true;
#endif

class HostUseTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!kCounted) GTEST_SKIP() << "a sanitizer stands where the counters would";
    SetSubjectOfHostUse(&before_);
  }
  void TearDown() override { CountHeap(false); }

 private:
  static inline int before_ = 1;
};

// Not visible to the optimiser, which may leave a pair of new and delete out.
void* volatile kept;

TEST_F(HostUseTest, CountsBlocksOfTheSubjectUntilTheyAreFreed) {
  CountHeap(true);
  kept = operator new(10);
  EXPECT_EQ(CurrentHostUse().heap_blocks, 1);
  EXPECT_EQ(CurrentHostUse().heap_bytes, 10);
  kept = std::realloc(kept, 30);
  EXPECT_EQ(CurrentHostUse().heap_blocks, 1);
  EXPECT_EQ(CurrentHostUse().heap_bytes, 30);
  std::free(kept);
  EXPECT_EQ(CurrentHostUse().heap_blocks, 0);
}

TEST_F(HostUseTest, CountsNothingOfOtherLibraries) {
  SetSubjectOfHostUse(reinterpret_cast<void*>(&std::abort));
  CountHeap(true);
  kept = std::malloc(10);
  EXPECT_EQ(CurrentHostUse().heap_blocks, 0);
  std::free(kept);
}

TEST_F(HostUseTest, CountsOpeningsOfTheDriverThatSucceeded) {
  const int64_t before = CurrentHostUse().driver_references;
  EXPECT_EQ(dlopen("/nowhere/libcuda.so.1", RTLD_NOW), nullptr);
  EXPECT_EQ(CurrentHostUse().driver_references, before);
  void* driver = dlopen(CULPRIT_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(driver, nullptr) << dlerror();
  void* other = dlopen("libm.so.6", RTLD_NOW);
  EXPECT_EQ(CurrentHostUse().driver_references, before + 1);
  dlclose(other);
  dlclose(driver);
  EXPECT_EQ(CurrentHostUse().driver_references, before);
}

TEST_F(HostUseTest, CountsMutexesThatWereDestroyedLocked) {
  const uint64_t before = CurrentHostUse().locked_mutexes;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_destroy(&mutex);
  EXPECT_EQ(CurrentHostUse().locked_mutexes, before);
  mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex);
  EXPECT_EQ(CurrentHostUse().locked_mutexes, before + 1);
}

TEST(BlockTableTest, FindsBlocksAgainAfterOthersWereRemoved) {
  BlockTable table;
  table.Clear();
  for (uintptr_t i = 1; i <= 1000; ++i) table.Add(reinterpret_cast<void*>(i * 16), i);
  for (uintptr_t i = 1; i <= 1000; i += 2) table.Remove(reinterpret_cast<void*>(i * 16));
  EXPECT_EQ(table.blocks(), 500);
  for (uintptr_t i = 2; i <= 1000; i += 2) table.Remove(reinterpret_cast<void*>(i * 16));
  table.Remove(reinterpret_cast<void*>(uintptr_t{16}));
  EXPECT_EQ(table.blocks(), 0);
  EXPECT_EQ(table.bytes(), 0);
}

}  // namespace
}  // namespace culprit::suites
