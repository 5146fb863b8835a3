// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/calling_thread.h"

#include <gtest/gtest.h>

#include <thread>

#include "fakedriver/shim/call_scope.h"

namespace culprit::fakedriver {
namespace {

using shim::CallScope;

class CallingThreadTest : public ::testing::Test {
 protected:
  CallingThreadTest() { ForgetCalls(); }
};

TEST_F(CallingThreadTest, OrdinalsCountThreadsInOrderOfFirstCall) {
  EXPECT_EQ(ThisThread().ordinal, 1u);
  std::thread([] { EXPECT_EQ(ThisThread().ordinal, 2u); }).join();
  std::thread([] { EXPECT_EQ(ThisThread().ordinal, 3u); }).join();
  EXPECT_EQ(ThisThread().ordinal, 1u);
  EXPECT_EQ(ThreadsSeen(), 3u);
}

TEST_F(CallingThreadTest, CallsAreNumberedOverAllThreadsAndCountedPerThread) {
  {
    CallScope call(ApiId::cuInit, nullptr);
    EXPECT_EQ(call.call().sequence, 1u);
    EXPECT_EQ(call.call().nth, 1u);
  }
  std::thread([] {
    CallScope call(ApiId::cuInit, nullptr);
    EXPECT_EQ(call.call().sequence, 2u);
    EXPECT_EQ(call.call().nth, 1u);
  }).join();
  CallScope call(ApiId::cuInit, nullptr);
  EXPECT_EQ(call.call().sequence, 3u);
  EXPECT_EQ(call.call().nth, 2u);
  EXPECT_EQ(CallsOf(ApiId::cuInit), 3u);
  EXPECT_EQ(CallsOf(ApiId::cuCtxGetCurrent), 0u);
}

TEST_F(CallingThreadTest, CallsOfTheHarnessAreNotCounted) {
  HarnessBegin();
  HarnessBegin();
  HarnessEnd();
  {
    CallScope call(ApiId::cuInit, nullptr);
    EXPECT_TRUE(call.call().harness);
    EXPECT_EQ(call.call().sequence, 0u);
  }
  HarnessEnd();
  EXPECT_EQ(CallsSinceReset(), 0u);
  CallScope call(ApiId::cuInit, nullptr);
  EXPECT_FALSE(call.call().harness);
}

TEST_F(CallingThreadTest, NestedCallsSeeThemselvesAndThenTheOuterOneAgain) {
  CallScope outer(ApiId::cuStreamSynchronize, nullptr);
  {
    CallScope inner(ApiId::cuCtxGetCurrent, nullptr);
    ASSERT_NE(CurrentCall(), nullptr);
    EXPECT_EQ(CurrentCall()->api, ApiId::cuCtxGetCurrent);
    EXPECT_EQ(CurrentCall()->outer, &outer.call());
  }
  EXPECT_EQ(CurrentCall()->api, ApiId::cuStreamSynchronize);
}

TEST_F(CallingThreadTest, PerThreadDefaultStreamFollowsTheVariantCalled) {
  {
    CallScope call(ApiId::cuStreamSynchronize, nullptr);
    EXPECT_FALSE(call.call().PerThreadDefaultStream());
  }
  CallScope call(ApiId::cuStreamSynchronize_ptsz, nullptr);
  EXPECT_TRUE(call.call().PerThreadDefaultStream());
}

TEST_F(CallingThreadTest, CountsOfThreadsThatEndedAreKept) {
  std::thread([] { CallScope call(ApiId::cuInit, nullptr); }).join();
  std::thread([] { CallScope call(ApiId::cuInit, nullptr); }).join();
  EXPECT_EQ(CallsOf(ApiId::cuInit), 2u);
}

TEST_F(CallingThreadTest, ForgettingStartsOrdinalsAndCountersAgain) {
  { CallScope call(ApiId::cuInit, nullptr); }
  std::thread([] { ThisThread(); }).join();
  ForgetCalls();
  EXPECT_EQ(ThreadsSeen(), 0u);
  EXPECT_EQ(CallsOf(ApiId::cuInit), 0u);
  std::thread([] { EXPECT_EQ(ThisThread().ordinal, 1u); }).join();
  EXPECT_EQ(ThisThread().ordinal, 2u);
}

}  // namespace
}  // namespace culprit::fakedriver
