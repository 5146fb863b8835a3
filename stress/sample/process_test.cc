// SPDX-License-Identifier: Apache-2.0
#include "stress/sample/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace culprit::stress {
namespace {

Sample Read() {
  Sample sample;
  ReadProcess(sample);
  return sample;
}

TEST(ProcessTest, TouchedPagesAreResident) {
  constexpr size_t kBytes = 64 << 20;
  const Sample before = Read();
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 1, kBytes);
  const Sample during = Read();
  munmap(memory, kBytes);
  const int64_t grown = during[Resource::kResidentMemory] - before[Resource::kResidentMemory];
  EXPECT_GE(grown, 60 << 20);
  EXPECT_LE(grown, 70 << 20);
  EXPECT_GE(during[Resource::kMappings], before[Resource::kMappings]);
}

TEST(ProcessTest, ABlockOnTheHeapIsCountedToItsSize) {
  const Sample before = Read();
  if (before[Resource::kHeap] == kUnavailable) {
    GTEST_SKIP() << "this build's allocator does not answer mallinfo2 (a sanitizer?)";
  }
  auto* block = static_cast<volatile char*>(std::malloc(100000));
  block[0] = 1;  // or the compiler leaves the pair of calls out
  const Sample during = Read();
  std::free(const_cast<char*>(block));
  const int64_t grown = during[Resource::kHeap] - before[Resource::kHeap];
  EXPECT_GE(grown, 100000);
  EXPECT_LE(grown, 100100);
}

TEST(ProcessTest, FileDescriptorsAreCountedOneByOne) {
  const Sample before = Read();
  const int first = open("/dev/null", O_RDONLY);
  const int second = open("/dev/null", O_RDONLY);
  const Sample during = Read();
  close(first);
  close(second);
  EXPECT_EQ(during[Resource::kFileDescriptors], before[Resource::kFileDescriptors] + 2);
}

TEST(ProcessTest, ThreadsAreCountedOneByOne) {
  const Sample before = Read();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  std::thread waiting([&] {
    char byte = 0;
    EXPECT_EQ(read(pipe_ends[0], &byte, 1), 1);
  });
  const Sample during = Read();
  EXPECT_EQ(write(pipe_ends[1], "x", 1), 1);
  waiting.join();
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  EXPECT_EQ(during[Resource::kThreads], before[Resource::kThreads] + 1);
}

TEST(ProcessTest, ReadingAThousandTimesUsesNothingUp) {
  (void)Read();
  const Sample before = Read();
  for (int i = 0; i < 1000; ++i) (void)Read();
  const Sample after = Read();
  for (Resource resource : {Resource::kHeap, Resource::kMappings, Resource::kFileDescriptors}) {
    EXPECT_EQ(after[resource], before[resource]) << InfoOf(resource).name;
  }
}

}  // namespace
}  // namespace culprit::stress
