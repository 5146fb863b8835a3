// SPDX-License-Identifier: Apache-2.0
// What random sequences with contexts promise, as the fake answers them.
#include "suites/driver_atlas/generator.h"

#include <gtest/gtest.h>

#include "fakedriver/control/fake_driver.h"
#include "suites/driver_atlas/context_stack.h"
#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/execute.h"

namespace culprit::atlas {
namespace {

constexpr uint64_t kSequences = 400;

class SequencesWithContexts : public ::testing::Test {
 protected:
  SequencesWithContexts() : fake_(Fake::Load(CULPRIT_FAKE_LIBRARY)) {
    EXPECT_EQ(OpenDriver(CULPRIT_FAKE_LIBRARY), "");
  }

  Fake fake_;
};

TEST_F(SequencesWithContexts, LeaveTheStackEmpty) {
  for (uint64_t seed = 1; seed <= kSequences; ++seed) {
    SCOPED_TRACE(seed);
    Execute(Generate(seed, {.contexts = true}), [](const std::string&) {});
    ASSERT_EQ(fake_.StackDepth(), 0u);
  }
}

TEST_F(SequencesWithContexts, AskNoDestroyedContextForItsFlagsOrVersion) {
  uint64_t asked = 0;
  for (uint64_t seed = 1; seed <= kSequences; ++seed) {
    Execute(Generate(seed, {.contexts = true}), [&](const std::string& line) {
      const bool asks = line.find("|cuCtxGetFlags") != std::string::npos ||
                        line.find("|cuCtxGetApiVersion") != std::string::npos;
      asked += asks ? 1 : 0;
      EXPECT_FALSE(asks && line.find("CONTEXT_IS_DESTROYED") != std::string::npos) << line;
    });
  }
  EXPECT_GT(asked, kSequences / 8);
}

TEST(ContextStackTest, APrimaryContextThatComesBackIsAnotherOne) {
  ContextStack stack;
  stack.After("primary", {"c0"});
  EXPECT_FALSE(stack.CurrentIsGone());
  stack.After("cuDevicePrimaryCtxRelease", {"0"});
  EXPECT_TRUE(stack.CurrentIsGone());
  stack.After("cuDevicePrimaryCtxRetain", {"c1", "0"});
  EXPECT_TRUE(stack.CurrentIsGone());
  EXPECT_TRUE(stack.IsGone("c0"));
  EXPECT_FALSE(stack.IsGone("c1"));
  stack.After("cuCtxSetCurrent", {"c1"});
  EXPECT_FALSE(stack.CurrentIsGone());
}

TEST(ContextStackTest, ADestroyedContextIsPoppedFromTheTopOnly) {
  ContextStack stack;
  stack.After("primary", {"c0"});
  stack.After("context", {"c1", "0", "0"});
  stack.After("cuCtxPushCurrent", {"c0"});
  stack.After("cuCtxDestroy", {"c1"});
  EXPECT_FALSE(stack.CurrentIsGone());
  stack.After("cuCtxPopCurrent", {"c2"});
  EXPECT_TRUE(stack.CurrentIsGone());
  EXPECT_FALSE(stack.IsGone("c2"));
  EXPECT_EQ(stack.most_entries(), 3);
}

}  // namespace
}  // namespace culprit::atlas
