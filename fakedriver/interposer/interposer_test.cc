// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>

#include "fakedriver/interposer/testing/interposer_test.h"
#include "input/scratch_folder.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::InterposerTest;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(InterposerTest, SaysThatADriverIsBehindIt) {
  ASSERT_TRUE(testing::environment_is_set);
  const auto identity = interposer_.Identity();
  EXPECT_EQ(identity.at("real"), true);
  EXPECT_THAT(identity.at("vendor_library").get<std::string>(),
              HasSubstr("fakedriver/lib/libcuda"));
  EXPECT_THAT(interposer_.Path(), HasSubstr("interposer/lib/libcuda"));
}

TEST_F(InterposerTest, CallsReachTheDriverAndAreCountedInBoth) {
  int count = 0;
  EXPECT_EQ(Call<decltype(&cuDeviceGetCount)>("cuDeviceGetCount", &count), CUDA_SUCCESS);
  EXPECT_GE(count, 1);
  EXPECT_EQ(interposer_.CallsOf("cuDeviceGetCount"), 1u);
  EXPECT_EQ(vendor_.CallsOf("cuDeviceGetCount"), 1u);
}

TEST_F(InterposerTest, LiveObjectsAndTheStackAreFollowed) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  EXPECT_EQ(interposer_.Live().events, 1u);
  EXPECT_EQ(interposer_.Live().primary_retains, 1u);
  EXPECT_EQ(interposer_.StackDepth(), 1u);
  EXPECT_EQ(DestroyEvent(event), CUDA_SUCCESS);
  EXPECT_EQ(interposer_.Live().events, 0u);
  CUcontext popped = nullptr;
  EXPECT_EQ(Pop(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, context_);
  EXPECT_EQ(interposer_.StackDepth(), 0u);
}

TEST_F(InterposerTest, WhatAContextHeldGoesWithIt) {
  CUcontext own = nullptr;
  ASSERT_EQ(Call<decltype(&cuCtxCreate_v2)>("cuCtxCreate_v2", &own, 0u, 0), CUDA_SUCCESS);
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  EXPECT_EQ(interposer_.StackDepth(), 2u);
  EXPECT_EQ(Call<decltype(&cuCtxDestroy_v2)>("cuCtxDestroy_v2", own), CUDA_SUCCESS);
  EXPECT_EQ(interposer_.Live().events, 0u);
  EXPECT_EQ(interposer_.Live().contexts, 0u);
  EXPECT_EQ(interposer_.StackDepth(), 1u);
}

TEST_F(InterposerTest, AnInjectedErrorNeverReachesTheDriver) {
  interposer_.Inject({.entry = "cuEventCreate", .result = CUDA_ERROR_OUT_OF_MEMORY});
  CUevent event = nullptr;
  EXPECT_EQ(CreateEvent(&event), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(vendor_.CallsOf("cuEventCreate"), 0u);
}

TEST_F(InterposerTest, ACreateThatFailsAfterItsEffectLeavesAnOrphan) {
  interposer_.Inject({.entry = "cuEventCreate", .after = true, .result = CUDA_ERROR_UNKNOWN});
  CUevent event = nullptr;
  EXPECT_EQ(CreateEvent(&event), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(vendor_.Live().events, 1u);
  EXPECT_EQ(interposer_.Live().events, 0u);
  EXPECT_EQ(interposer_.Live().orphaned, 1u);
}

TEST_F(InterposerTest, ARepeatedDestroyDoesNotReachTheDriver) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  interposer_.Inject({.entry = "cuEventDestroy_v2", .after = true, .result = CUDA_ERROR_UNKNOWN});
  EXPECT_EQ(DestroyEvent(event), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(vendor_.Live().events, 0u);
  EXPECT_EQ(DestroyEvent(event), CUDA_SUCCESS);
  EXPECT_EQ(vendor_.CallsOf("cuEventDestroy_v2"), 1u);
  EXPECT_THAT(vendor_.Findings(), IsEmpty());
}

TEST_F(InterposerTest, AFaultThatStaysHidesEveryRepeatedDestroyAndTheDriverSeesOne) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  interposer_.AddPlan("- {entry: cuEventDestroy, nth: 1, sticky: true, after: CUDA_ERROR_UNKNOWN}");
  EXPECT_EQ(DestroyEvent(event), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(DestroyEvent(event), CUDA_ERROR_UNKNOWN);
  interposer_.ClearFaults();
  EXPECT_EQ(DestroyEvent(event), CUDA_SUCCESS);
  EXPECT_EQ(vendor_.CallsOf("cuEventDestroy_v2"), 1u);
  EXPECT_THAT(vendor_.Findings(), IsEmpty());
}

TEST_F(InterposerTest, LostContextsAreLostForTheProgramOnly) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  interposer_.AddPlan(
      "- {entry: cuEventQuery, nth: 1, before: CUDA_ERROR_ILLEGAL_ADDRESS, lose_contexts: true}");
  EXPECT_EQ(QueryEvent(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(QueryEvent(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(vendor_.CallsOf("cuEventQuery"), 0u);
  interposer_.Reset();
  EXPECT_EQ(QueryEvent(event), CUDA_SUCCESS);
}

TEST_F(InterposerTest, FunctionsLookedUpAreOurs) {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status{};
  ASSERT_EQ(Call<decltype(&cuGetProcAddress_v2)>("cuGetProcAddress_v2", "cuMemAlloc", &function,
                                                 12000, cuuint64_t{0}, &status),
            CUDA_SUCCESS);
  EXPECT_EQ(function, Symbol("cuMemAlloc_v2"));
  ASSERT_EQ(Call<decltype(&cuGetProcAddress_v2)>("cuGetProcAddress_v2", "cuNope", &function, 12000,
                                                 cuuint64_t{0}, &status),
            CUDA_SUCCESS);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

TEST_F(InterposerTest, LeaksAreNamed) {
  CUevent event = nullptr;
  ASSERT_EQ(CreateEvent(&event), CUDA_SUCCESS);
  interposer_.EndOfLife();
  std::vector<std::string> rules;
  for (const Finding& finding : interposer_.Findings()) rules.push_back(finding.rule);
  EXPECT_THAT(rules, Contains("leak.event"));
  EXPECT_THAT(interposer_.LiveObjects(), SizeIs(2));
}

// What a program that calls the interposer three times prints under a plan that fails the second.
std::string Answers(const ScratchFolder& folder) {
  std::ofstream(folder / "plan.yaml")
      << "- {entry: cuGetErrorName, nth: 2, before: CUDA_ERROR_UNKNOWN}";
  const std::string command = "CULPRIT_REPORT=" + (folder / "report.json") +
                              " CULPRIT_PLAN=" + (folder / "plan.yaml") +
                              " CULPRIT_TRACE=" + (folder / "trace.jsonl") +
                              " " CULPRIT_PROBE " " CULPRIT_INTERPOSER_LIBRARY " 3 return";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string answers(256, '\0');
  answers.resize(std::fread(answers.data(), 1, answers.size(), pipe));
  EXPECT_EQ(pclose(pipe), 0);
  return answers;
}

TEST_F(InterposerTest, WhatTheEnvironmentAsksIsNotAskedOfTheDriverBehindIt) {
  const ScratchFolder folder;
  EXPECT_EQ(Answers(folder), "0\n999\n0\n");
  std::ifstream file(folder / "report.json");
  const auto report = nlohmann::json::parse(file);
  EXPECT_EQ(report.at("identity").at("real"), true);
  EXPECT_EQ(report.at("calls"), 3);
  std::ifstream trace(folder / "trace.jsonl");
  std::string line;
  size_t calls = 0;
  while (std::getline(trace, line)) calls += line.find("cuGetErrorName") != std::string::npos;
  EXPECT_EQ(calls, 3U) << "the trace holds what the program called, once";
}

TEST_F(InterposerTest, AMemoryBudgetIsRefused) {
  EXPECT_THROW(interposer_.AddPlan("- {memory_budget: 1MiB}"), FakeError);
}

}  // namespace
}  // namespace culprit
