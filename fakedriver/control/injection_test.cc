// SPDX-License-Identifier: Apache-2.0
//
// What injected errors leave behind: the contract of docs/plan_a_fault.md, on objects of the
// machine.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/control/fake_driver.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;

class InjectionTest : public ::testing::Test {
 protected:
  InjectionTest() : fake_(Fake::Load(CULPRIT_FAKE_LIBRARY)) {
    fake_.Reset();
    fake_.Configure({{"profile", "r580"}, {"policy", "eager"}});
    EXPECT_EQ(Call<decltype(&cuInit)>("cuInit", 0u), CUDA_SUCCESS);
    EXPECT_EQ(Call<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain", &context_, 0),
              CUDA_SUCCESS);
    EXPECT_EQ(Push(context_), CUDA_SUCCESS);
  }
  ~InjectionTest() override { fake_.Reset(); }

  template <typename Function, typename... Args>
  CUresult Call(const char* name, Args... args) {
    void* library = dlopen(CULPRIT_FAKE_LIBRARY, RTLD_NOW);
    return reinterpret_cast<Function>(dlsym(library, name))(args...);
  }
  CUresult Push(CUcontext context) {
    return Call<decltype(&cuCtxPushCurrent_v2)>("cuCtxPushCurrent_v2", context);
  }
  CUresult Pop(CUcontext* context) {
    return Call<decltype(&cuCtxPopCurrent_v2)>("cuCtxPopCurrent_v2", context);
  }
  CUresult CreateEvent(CUevent* event) {
    return Call<decltype(&cuEventCreate)>("cuEventCreate", event, 0u);
  }
  CUresult DestroyEvent(CUevent event) {
    return Call<decltype(&cuEventDestroy_v2)>("cuEventDestroy_v2", event);
  }
  CUresult QueryEvent(CUevent event) {
    return Call<decltype(&cuEventQuery)>("cuEventQuery", event);
  }
  std::vector<std::string> Rules() {
    std::vector<std::string> rules;
    for (const Finding& finding : fake_.Findings()) rules.push_back(finding.rule);
    return rules;
  }

  Fake fake_;
  CUcontext context_ = nullptr;
};

TEST_F(InjectionTest, ACreateThatFailsBeforeItsEffectMakesNothing) {
  fake_.Inject({.entry = "cuEventCreate", .result = CUDA_ERROR_OUT_OF_MEMORY});
  CUevent event = nullptr;
  EXPECT_EQ(CreateEvent(&event), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(fake_.Live().events, 0u);
  EXPECT_EQ(fake_.Live().orphaned, 0u);
}

TEST_F(InjectionTest, ACreateThatFailsAfterItsEffectLeavesAnOrphanAndNoLeak) {
  fake_.Inject({.entry = "cuEventCreate", .after = true, .result = CUDA_ERROR_OUT_OF_MEMORY});
  CUevent event = nullptr;
  EXPECT_EQ(CreateEvent(&event), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(fake_.Live().events, 0u);
  EXPECT_EQ(fake_.Live().orphaned, 1u);
  EXPECT_THAT(fake_.LiveObjects(), Contains(Field(&LiveObject::orphan, true)));
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), Not(Contains("leak.event")));
}

TEST_F(InjectionTest, ADestroyThatFailsAfterItsEffectMayBeTriedOnceMore) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  fake_.Inject({.entry = "cuEventDestroy_v2", .after = true, .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(DestroyEvent(event), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(fake_.Live().events, 0u);
  EXPECT_EQ(DestroyEvent(event), CUDA_SUCCESS);
  EXPECT_THAT(fake_.Findings(), IsEmpty());
  EXPECT_NE(DestroyEvent(event), CUDA_SUCCESS);
  EXPECT_THAT(Rules(), Contains("handle.double_destroy"));
}

TEST_F(InjectionTest, ADestroyThatFailsBeforeItsEffectLeavesTheObjectAlive) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  fake_.Inject({.entry = "cuEventDestroy_v2", .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(DestroyEvent(event), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(fake_.Live().events, 1u);
  EXPECT_EQ(QueryEvent(event), CUDA_SUCCESS);
  EXPECT_EQ(DestroyEvent(event), CUDA_SUCCESS);
}

TEST_F(InjectionTest, APopThatFailsAfterItsEffectHasPopped) {
  EXPECT_EQ(fake_.StackDepth(), 1u);
  fake_.Inject({.entry = "cuCtxPopCurrent_v2", .after = true, .result = CUDA_ERROR_UNKNOWN});
  CUcontext popped = nullptr;
  EXPECT_EQ(Pop(&popped), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(popped, nullptr);
  EXPECT_EQ(fake_.StackDepth(), 0u);
}

TEST_F(InjectionTest, LostContextsStayLost) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  fake_.AddPlan(
      "- {entry: cuEventQuery, nth: 1, before: CUDA_ERROR_ILLEGAL_ADDRESS, lose_contexts: true}");
  EXPECT_EQ(QueryEvent(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(QueryEvent(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUevent another = nullptr;
  EXPECT_EQ(CreateEvent(&another), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(InjectionTest, WhatTheHarnessMakesIsNotTheSubjects) {
  CUevent event = nullptr;
  {
    HarnessScope harness(fake_);
    ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  }
  EXPECT_EQ(fake_.Live().events, 0u);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), Not(Contains("leak.event")));
}

TEST_F(InjectionTest, WhatTheSubjectLeavesIsNamedWithTheCallThatMadeIt) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  EXPECT_EQ(fake_.Live().events, 1u);
  fake_.EndOfLife();
  EXPECT_THAT(Rules(), Contains("leak.event"));
  for (const LiveObject& object : fake_.LiveObjects()) {
    if (object.kind != "event") continue;
    EXPECT_EQ(object.created_by.entry, "cuEventCreate");
    EXPECT_EQ(object.created_by.call, fake_.Calls());
  }
}

}  // namespace
}  // namespace culprit
