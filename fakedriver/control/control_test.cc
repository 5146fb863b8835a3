// SPDX-License-Identifier: Apache-2.0
//
// The fake as a harness sees it: through the control table, with driver calls made as a program
// makes them.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/control/fake_driver.h"

namespace culprit {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <typename Call>
std::string ErrorOf(const Call& call) {
  try {
    call();
  } catch (const FakeError& error) {
    return error.what();
  }
  return "no error";
}

class ControlTest : public ::testing::Test {
 protected:
  ControlTest() : fake_(Fake::Load(CULPRIT_FAKE_LIBRARY)) {
    fake_.Reset();
    fake_.Configure({{"profile", "r580"}, {"policy", "eager"}, {"certify", false}, {"trace", ""}});
  }
  ~ControlTest() override {
    fake_.LogCalls(false);
    fake_.Reset();
  }

  template <typename Function>
  Function Entry(const char* name) {
    return reinterpret_cast<Function>(dlsym(dlopen(CULPRIT_FAKE_LIBRARY, RTLD_NOW), name));
  }

  // Any call that works without a device: the name of a result.
  CUresult NameOf(CUresult result, const char** name) {
    return Entry<decltype(&cuGetErrorName)>("cuGetErrorName")(result, name);
  }
  CUresult AnyCall() {
    const char* name = nullptr;
    return NameOf(CUDA_SUCCESS, &name);
  }

  Fake fake_;
};

// One that was built against an earlier version of the struct.
TEST_F(ControlTest, ACallerGetsNoMoreThanItHasRoomFor) {
  culprit_launches launches{};
  launches.size = offsetof(culprit_launches, lane_instructions);
  launches.all = UINT64_MAX;
  launches.lane_instructions = 7;
  fake_.table().launches(&launches);
  EXPECT_NE(launches.all, UINT64_MAX);
  EXPECT_EQ(launches.lane_instructions, 7U);
  EXPECT_EQ(launches.size, offsetof(culprit_launches, lane_instructions));
  culprit_live live{};
  live.size = sizeof(culprit_live) + 64;
  fake_.table().live(&live);
  EXPECT_EQ(live.size, sizeof(culprit_live));
}

TEST_F(ControlTest, IdentityNamesTheLibraryAsMapped) {
  const json identity = fake_.Identity();
  EXPECT_EQ(identity.at("real"), false);
  EXPECT_EQ(identity.at("abi"), CULPRIT_CONTROL_ABI);
  EXPECT_THAT(fake_.Path(), HasSubstr("fakedriver/lib/libcuda.so"));
}

TEST_F(ControlTest, ALibraryWithoutControlIsNoFake) {
  EXPECT_THAT(ErrorOf([] { Fake::Load("libm.so.6"); }), HasSubstr("not the fake driver"));
  EXPECT_THAT(ErrorOf([] { Fake::Load("libdoes_not_exist.so"); }), HasSubstr("libdoes_not_exist"));
}

TEST_F(ControlTest, SettingsChangeByKey) {
  fake_.Configure({{"profile", "strict"}, {"seed", 7}, {"checks", {{"races", true}}}});
  EXPECT_EQ(fake_.Settings().at("profile"), "strict");
  EXPECT_EQ(fake_.Settings().at("seed"), 7);
  EXPECT_EQ(fake_.Settings().at("policy"), "eager");
  EXPECT_EQ(fake_.Settings().at("checks").at("races"), true);
  fake_.Configure({{"checks", {{"races", false}}}});
}

TEST_F(ControlTest, SettingsThatMeanNothingAreRefusedAndChangeNothing) {
  const json before = fake_.Settings();
  const auto refused = [&](const json& settings) {
    return ErrorOf([&] { fake_.Configure(settings); });
  };
  EXPECT_THAT(refused({{"seed", 5}, {"profil", "strict"}}), HasSubstr("profil: no such setting"));
  EXPECT_THAT(refused({{"profile", "r581"}}), HasSubstr("profile must be one of r580"));
  EXPECT_THAT(refused({{"seed", -1}}), HasSubstr("seed must be a whole number"));
  EXPECT_THAT(refused({{"kernel_workers", 1ULL << 40}}), HasSubstr("kernel_workers must be"));
  EXPECT_THAT(refused({{"checks", {{"race", true}}}}), HasSubstr("checks.race: no such setting"));
  EXPECT_THAT(refused({{"certify", 1}}), HasSubstr("certify must be true or false"));
  EXPECT_THAT(refused({{"trace", "/no/such/folder/t.jsonl"}}), HasSubstr("No such file"));
  EXPECT_THAT(refused(json::array()), HasSubstr("must be an object"));
  EXPECT_EQ(fake_.Settings(), before);
}

TEST_F(ControlTest, CallsOfTheSubjectAreCountedThoseOfTheHarnessAreNot) {
  AnyCall();
  {
    HarnessScope harness(fake_);
    AnyCall();
    std::thread([&] { AnyCall(); }).join();  // another thread is not the harness
  }
  AnyCall();
  EXPECT_EQ(fake_.Calls(), 3u);
  EXPECT_EQ(fake_.CallsOf("cuGetErrorName"), 3u);
  EXPECT_EQ(fake_.CallsOf("cuInit"), 0u);
  EXPECT_EQ(fake_.Threads(), 2u);
}

TEST_F(ControlTest, AFaultBeforeTheEffectLeavesOutParametersAlone) {
  const auto fault =
      fake_.Inject({.entry = "cuGetErrorName", .nth = 2, .result = CUDA_ERROR_UNKNOWN});
  const char* name = nullptr;
  EXPECT_EQ(NameOf(CUDA_SUCCESS, &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_SUCCESS");
  EXPECT_FALSE(fault.fired());
  EXPECT_EQ(NameOf(CUDA_ERROR_NOT_READY, &name), CUDA_ERROR_UNKNOWN);
  EXPECT_STREQ(name, "CUDA_SUCCESS");
  EXPECT_EQ(fault.times_fired(), 1u);
  EXPECT_EQ(NameOf(CUDA_ERROR_NOT_READY, &name), CUDA_SUCCESS);
}

TEST_F(ControlTest, AFaultAfterTheEffectRestoresOutParameters) {
  fake_.Inject({.entry = "cuGetErrorName", .after = true, .result = CUDA_ERROR_UNKNOWN});
  const char* name = "untouched";
  EXPECT_EQ(NameOf(CUDA_SUCCESS, &name), CUDA_ERROR_UNKNOWN);
  EXPECT_STREQ(name, "untouched");
}

TEST_F(ControlTest, AFaultAfterAnEffectThatFailedByItselfDoesNotFire) {
  const auto fault =
      fake_.Inject({.entry = "cuGetErrorName", .after = true, .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(NameOf(CUDA_SUCCESS, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_FALSE(fault.fired());
}

TEST_F(ControlTest, HarnessCallsAreNeverFaulted) {
  fake_.Inject({.nth = 1, .sticky = true, .result = CUDA_ERROR_UNKNOWN});
  {
    HarnessScope harness(fake_);
    EXPECT_EQ(AnyCall(), CUDA_SUCCESS);
  }
  EXPECT_EQ(AnyCall(), CUDA_ERROR_UNKNOWN);
}

TEST_F(ControlTest, LiftingEndsAStickyFault) {
  const auto fault =
      fake_.Inject({.family = "error", .sticky = true, .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(AnyCall(), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(AnyCall(), CUDA_ERROR_UNKNOWN);
  fault.Lift();
  EXPECT_EQ(AnyCall(), CUDA_SUCCESS);
}

TEST_F(ControlTest, FaultsThatMeanNothingAreRefused) {
  const auto refused = [&](const FaultSpec& spec) { return ErrorOf([&] { fake_.Inject(spec); }); };
  EXPECT_THAT(refused({.entry = "cuNope", .result = 2}), HasSubstr("no entry is called cuNope"));
  EXPECT_THAT(refused({.family = "nope", .result = 2}), HasSubstr("no family is called nope"));
  EXPECT_THAT(refused({.nth = 0, .result = 2}), HasSubstr("nth counts from 1"));
  EXPECT_THAT(refused({.result = 0}), HasSubstr("not a failure"));
  EXPECT_THAT(refused({.result = 70700}), HasSubstr("70700 is no CUresult"));
  EXPECT_THAT(refused({.sticky = true, .result = CUDA_ERROR_NOT_READY}),
              HasSubstr("cannot be sticky"));
}

TEST_F(ControlTest, PlansAreTextAndTheirMistakesAreLocated) {
  fake_.AddPlan(
      "- {entry: cuGetErrorName, nth: 1, before: CUDA_ERROR_UNKNOWN}\n- {entry: cuInit, nth: 9, "
      "before: 2}");
  EXPECT_EQ(AnyCall(), CUDA_ERROR_UNKNOWN);
  ASSERT_THAT(fake_.UnfiredFaults(), SizeIs(1));
  EXPECT_EQ(fake_.UnfiredFaults()[0].name, "plan:2");
  EXPECT_THAT(ErrorOf([&] { fake_.AddPlan("- {entry: cuNope, before: 2}", "my.yaml"); }),
              HasSubstr("my.yaml:1:11: "));
}

TEST_F(ControlTest, TheCallLogTellsEachCallItsResultAndItsFault) {
  fake_.LogCalls(true);
  const auto fault =
      fake_.Inject({.entry = "cuGetErrorName", .nth = 2, .result = CUDA_ERROR_UNKNOWN});
  AnyCall();
  AnyCall();
  const auto log = fake_.CallLog();
  ASSERT_THAT(log, SizeIs(2));
  EXPECT_EQ(log[0].entry, "cuGetErrorName");
  EXPECT_EQ(log[0].result, "CUDA_SUCCESS");
  EXPECT_EQ(log[0].fault, 0);
  EXPECT_EQ(log[1].seq, 2u);
  EXPECT_EQ(log[1].nth, 2u);
  EXPECT_EQ(log[1].result, "CUDA_ERROR_UNKNOWN");
  EXPECT_EQ(log[1].fault, fault.id());
}

TEST_F(ControlTest, WhatIsNotModelledSaysSoOnceForEachName) {
  auto* gl_init = Entry<CUresult (*)()>("cuGLInit");
  Entry<decltype(&cuInit)>("cuInit")(0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(gl_init(), CUDA_ERROR_NOT_SUPPORTED);
  int found = 0;
  for (const Finding& finding : fake_.Findings()) {
    if (finding.rule != "api.not_modelled" || finding.entry != "cuGLInit") continue;
    ++found;
    EXPECT_EQ(finding.severity, "note");
    EXPECT_EQ(finding.count, 3u);
    EXPECT_THAT(finding.location, HasSubstr("control_test"));
  }
  EXPECT_EQ(found, 1);
}

TEST_F(ControlTest, ResetForgetsCallsFaultsAndFindings) {
  fake_.Inject({.result = CUDA_ERROR_UNKNOWN});
  AnyCall();
  Entry<CUresult (*)()>("cuGLInit")();
  fake_.Reset();
  EXPECT_EQ(fake_.Calls(), 0u);
  EXPECT_EQ(fake_.Threads(), 0u);
  EXPECT_THAT(fake_.Findings(), IsEmpty());
  EXPECT_THAT(fake_.UnfiredFaults(), IsEmpty());
  EXPECT_EQ(AnyCall(), CUDA_SUCCESS);
}

TEST_F(ControlTest, TheApiTableKnowsEveryEntry) {
  const json table = fake_.ApiTable();
  for (const json& row : table) {
    if (row.at("symbol") != "cuMemAlloc_v2") continue;
    EXPECT_EQ(row.at("lookup"), "cuMemAlloc");
    EXPECT_EQ(row.at("family"), "memory");
    EXPECT_EQ(row.at("effect"), "creates");
    EXPECT_THAT(row.at("results").get<std::vector<std::string>>(),
                ::testing::Contains("CUDA_ERROR_OUT_OF_MEMORY"));
    return;
  }
  FAIL() << "cuMemAlloc_v2 is not in the table";
}

TEST_F(ControlTest, BlockedCallsWaitForTheHarness) {
  fake_.AddPlan("- {entry: cuGetErrorName, nth: 1, block: true}");
  std::thread subject([&] { EXPECT_EQ(AnyCall(), CUDA_SUCCESS); });
  while (fake_.table().fault_fired(1) == 0) std::this_thread::yield();
  fake_.table().lift_fault(1);
  subject.join();
}

}  // namespace
}  // namespace culprit
