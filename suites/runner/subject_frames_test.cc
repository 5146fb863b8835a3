// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/subject_frames.h"

#include <gtest/gtest.h>

namespace culprit::suites {
namespace {

constexpr const char* kHarness = "/opt/bin/culprit-host";
constexpr const char* kPort = "/home/user/libport.so";
constexpr const char* kLibrary = "/lib/libc.so.6";

std::vector<SourceFrame> Stack(const std::vector<std::string>& modules) {
  std::vector<SourceFrame> stack;
  for (const std::string& module : modules) stack.emplace_back().module = module;
  return stack;
}

TEST(SubjectFramesTest, EndAtTheSubjectsOutermostFrame) {
  EXPECT_EQ(CountSubjectFrames(Stack({kPort, kPort, kHarness, kHarness, kLibrary}), kHarness), 2U);
}

TEST(SubjectFramesTest, HoldWhatTheSubjectCalled) {
  EXPECT_EQ(CountSubjectFrames(Stack({kLibrary, kHarness, kPort, kHarness, kLibrary}), kHarness),
            3U)
      << "the harness stands in front of the C library's free";
}

TEST(SubjectFramesTest, OfAThreadEndBeforeWhatItStartedIn) {
  EXPECT_EQ(CountSubjectFrames(Stack({kPort, "/usr/lib/libstdc++.so.6.0.30", kLibrary}), kHarness),
            1U);
}

TEST(SubjectFramesTest, OfAThreadEndBeforeWhatASanitizerStartedItIn) {
  EXPECT_EQ(CountSubjectFrames(Stack({kPort, "/usr/lib/libasan.so.8", kLibrary}), kHarness), 1U);
}

TEST(SubjectFramesTest, OfACallbackEndBeforeTheDriver) {
  EXPECT_EQ(CountSubjectFrames(Stack({kPort, "/opt/lib/libcuda.so.1", kLibrary}), kHarness), 1U);
}

TEST(SubjectFramesTest, AreNoneWhereTheHarnessStandsAlone) {
  EXPECT_EQ(CountSubjectFrames(Stack({kLibrary, kHarness, kLibrary}), kHarness), 0U);
}

}  // namespace
}  // namespace culprit::suites
