// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two allocations, one of which is freed; a retain and its release; a free that a fault refuses.
const nlohmann::json kCalls = nlohmann::json::parse(R"([
  {"seq":1,"thread":1,"entry":"cuDevicePrimaryCtxRetain","args":{"dev":0},"out":{"pctx":"0x10"},
   "result":"CUDA_SUCCESS","context":"0x0","depth":0},
  {"seq":2,"thread":1,"entry":"cuMemAlloc_v2","args":{"bytesize":8},"out":{"dptr":"0x20"},
   "result":"CUDA_SUCCESS","context":"0x10","depth":1},
  {"seq":3,"thread":1,"entry":"cuMemAllocPitch_v2","args":{},"out":{"dptr":"0x30","pPitch":"0x200"},
   "result":"CUDA_SUCCESS","context":"0x10","depth":1},
  {"seq":4,"thread":2,"entry":"cuLaunchKernel","args":{"f":"0x40","hStream":"0x50"},
   "result":"CUDA_SUCCESS","context":"0x10","depth":1},
  {"seq":5,"thread":1,"entry":"cuMemFree_v2","args":{"dptr":"0x20"},"result":"CUDA_ERROR_INVALID_VALUE",
   "context":"0x10","depth":1,"fault":1},
  {"seq":6,"thread":1,"entry":"cuMemFree_v2","args":{"dptr":"0x30"},"out":{},"result":"CUDA_SUCCESS",
   "context":"0x10","depth":1},
  {"seq":7,"thread":1,"entry":"cuDevicePrimaryCtxRelease_v2","args":{"dev":0},"out":{},
   "result":"CUDA_SUCCESS","context":"0x0","depth":0}])");

TEST(TimelineTest, FollowsObjectsFromTheCallThatMadeThemToTheOneThatEndedThem) {
  const std::vector<Lifetime> lives = LifetimesOf(kCalls);
  ASSERT_EQ(lives.size(), 3U);
  EXPECT_EQ(lives[0].name, "primary context 0x10");
  EXPECT_EQ(lives[0].destroyed, 7U);
  EXPECT_FALSE(lives[0].left);
  EXPECT_EQ(lives[1].name, "allocation 0x20");
  EXPECT_TRUE(lives[1].left) << "its free was refused";
  EXPECT_EQ(lives[2].created, 2U);
  EXPECT_EQ(lives[2].destroyed, 6U);
}

TEST(TimelineTest, DrawsStepsThreadsContextsStreamsObjectsAndFaults) {
  const std::string markup = TimelineOf(
      {{"calls", kCalls},
       {"steps",
        {{{"name", "open <1>"}, {"from", 0}, {"to", 4}, {"failed", false}},
         {{"name", "close"}, {"from", 4}, {"to", 7}, {"failed", true}, {"status", "EIO"}}}}});
  for (const char* part : {"thread 1", "thread 2", "context stack of thread 1",
                           "work on stream 0x50", "allocation 0x20 is left", "class=\"strike\"",
                           "close failed: EIO", "cuLaunchKernel", "(injected)", "open &lt;1&gt;"}) {
    EXPECT_THAT(markup, HasSubstr(part));
  }
  EXPECT_THAT(markup, Not(HasSubstr("<1>")));
}

TEST(TimelineTest, IsEmptyWithoutCalls) {
  EXPECT_EQ(TimelineOf(nlohmann::json::object()), "");
  EXPECT_EQ(TimelineOf({{"calls", nlohmann::json::array()}}), "");
}

}  // namespace
}  // namespace culprit::tools
