// SPDX-License-Identifier: Apache-2.0
//
// Modules and entries, device errors, and the process around them: its forks and its end.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "fakedriver/handlers/testing/reported_misuse.h"

namespace culprit::fakedriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kEmptyModule = ".version 7.0\n.target sm_50\n.address_size 64\n";

// ---- Unloading what never loaded (facebookresearch/TensorComprehensions PR 299) ----

TEST_F(ReportedMisuse, UnloadOfAModuleThatNeverLoadedIsRefused) {
  NewContext();
  CUmodule module = nullptr;
  ASSERT_NE(cu.cuModuleLoadData(&module, "this is no PTX"), CUDA_SUCCESS);
  ASSERT_EQ(module, nullptr);
  EXPECT_NE(cu.cuModuleUnload(module), CUDA_SUCCESS);
}

// ---- The entry without its version (hashcat/hashcat PR 4860) ----

TEST_F(ReportedMisuse, OldMemsetInANewContextIsNamed) {
  NewContext();
  CUdeviceptr memory = NewMemory();
  EXPECT_EQ(cu.cuMemsetD32(static_cast<CUdeviceptr_v1>(memory), 0, 16), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(Rules(), Contains("api.version_mix"));
}

// ---- One bad kernel, then everything fails (hashcat/hashcat issue 3476, 3965) ----

TEST_F(ReportedMisuse, EchoesOfADeviceErrorAreNoFindings) {
  CUcontext context = NewContext();
  CUstream stream = NewStream();
  CUevent event = NewEvent();
  fake_.Inject(
      {.entry = "cuEventSynchronize", .sticky = true, .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  fake_.Inject(
      {.entry = "cuStreamDestroy_v2", .sticky = true, .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  fake_.Inject(
      {.entry = "cuEventDestroy_v2", .sticky = true, .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  ASSERT_EQ(cu.cuEventRecord(event, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventSynchronize(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(Rules(), IsEmpty());
  EXPECT_EQ(cu.cuCtxDestroy_v2(nullptr), CUDA_ERROR_INVALID_VALUE) << "a handle it never got";
  EXPECT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
}

// ---- Unloading when the process ends (apache/tvm issue 121, PR 18624) ----

// Of this program, so that it goes after the driver, which was loaded later.
struct AtTheEnd {
  std::function<void()> body;
  ~AtTheEnd() {
    if (body) body();
  }
} at_the_end;

TEST_F(ReportedMisuse, UnloadAfterTheDriversEndAnswersDeinitializedAndHarmsNobody) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto unload_at_the_end = [&] {
    NewContext();
    CUmodule module = nullptr;
    EXPECT_EQ(cu.cuModuleLoadData(&module, kEmptyModule), CUDA_SUCCESS);
    at_the_end.body = [cu = cu, module] {
      if (cu.cuModuleUnload(module) != CUDA_ERROR_DEINITIALIZED) _exit(3);
    };
    std::exit(0);
  };
  EXPECT_EXIT(unload_at_the_end(), ::testing::ExitedWithCode(0), "");
}

TEST_F(ReportedMisuse, WhatAnUnloadLeavesBeforeTheEndIsALeak) {
  CUcontext context = NewContext();
  CUmodule module = nullptr;
  ASSERT_EQ(cu.cuModuleLoadData(&module, kEmptyModule), CUDA_SUCCESS);
  fake_.Inject({.entry = "cuModuleUnload", .result = CUDA_ERROR_ILLEGAL_ADDRESS});
  EXPECT_EQ(cu.cuModuleUnload(module), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_EQ(cu.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_THAT(RulesAtTheEnd(), ElementsAre("leak.reclaimed"));
}

// ---- A child of a process that has initialised the driver (vllm issue 32611) ----

// What `body` answers in a forked child.
int InAForkedChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ReportedMisuse, DriverCallInAForkedChildFailsAndIsNamedThere) {
  EXPECT_EQ(CUDA_ERROR_NOT_INITIALIZED, InAForkedChild([&] { return cu.cuInit(0); }));
  EXPECT_EQ(1, InAForkedChild([&] {
              cu.cuInit(0);
              return Rules() == std::vector<std::string>{"api.forked_child"} ? 1 : 0;
            }));
  EXPECT_THAT(Rules(), IsEmpty()) << "the parent did nothing wrong";
}

TEST_F(ReportedMisuse, ForkedChildThatLeavesTheDriverAloneIsQuiet) {
  EXPECT_EQ(0, InAForkedChild([&] { return static_cast<int>(Rules().size()); }));
}

TEST_F(ReportedMisuse, ChildForkedBeforeTheDriverIsInitialisedMayUseIt) {
  fake_.Reset();
  EXPECT_EQ(CUDA_SUCCESS, InAForkedChild([&] { return cu.cuInit(0); }));
}

// ---- A resolver that hands out the wrong variant (tkestack/vcuda-controller PR 32) ----

TEST_F(ReportedMisuse, ResolverAnswersTheVariantOfTheVersionAndTheStreamAskedFor) {
  const auto resolved = [&](const char* name, int version, cuuint64_t flags) {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status{};
    EXPECT_EQ(cu.cuGetProcAddress_v2(name, &function, version, flags, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
    return function;
  };
  const auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
  EXPECT_EQ(resolved("cuMemAlloc", 11030, 0), address(cu.cuMemAlloc_v2));
  EXPECT_EQ(resolved("cuMemAlloc", 2000, 0), address(cu.cuMemAlloc));
  EXPECT_EQ(resolved("cuStreamSynchronize", 11030, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
            address(cu.cuStreamSynchronize_ptsz));
}

}  // namespace
}  // namespace culprit::fakedriver
