// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/control/fake_driver.h"

namespace culprit::fakedriver::shim {
namespace {

using ::testing::ElementsAre;

class ProcAddressTest : public ::testing::Test {
 protected:
  ProcAddressTest() : fake_(Fake::Load(CULPRIT_FAKE_LIBRARY)) { fake_.Reset(); }

  void* Symbol(const char* name) {
    void* handle = dlopen(CULPRIT_FAKE_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
    return dlsym(handle, name);
  }

  struct Answer {
    CUresult result;
    void* function;
    CUdriverProcAddressQueryResult status;
  };

  Answer Ask(const char* name, int version, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
    auto* ask = reinterpret_cast<decltype(&cuGetProcAddress_v2)>(Symbol("cuGetProcAddress_v2"));
    Answer answer{CUDA_SUCCESS, this, CU_GET_PROC_ADDRESS_SUCCESS};
    answer.result = ask(name, &answer.function, version, flags, &answer.status);
    return answer;
  }

  Fake fake_;
};

TEST_F(ProcAddressTest, TheNewestVariantNotAboveTheVersionIsTheAnswer) {
  EXPECT_EQ(Ask("cuCtxCreate", 2000).function, Symbol("cuCtxCreate"));
  EXPECT_EQ(Ask("cuCtxCreate", 3010).function, Symbol("cuCtxCreate"));
  EXPECT_EQ(Ask("cuCtxCreate", 3020).function, Symbol("cuCtxCreate_v2"));
  EXPECT_EQ(Ask("cuCtxCreate", 11040).function, Symbol("cuCtxCreate_v3"));
  EXPECT_EQ(Ask("cuCtxCreate", 13000).function, Symbol("cuCtxCreate_v4"));
}

TEST_F(ProcAddressTest, AVersionBeforeTheEntryIsNotSufficient) {
  const Answer answer = Ask("cuMemFreeAsync", 7000);
  EXPECT_EQ(answer.result, CUDA_SUCCESS);
  EXPECT_EQ(answer.function, nullptr);
  EXPECT_EQ(answer.status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

TEST_F(ProcAddressTest, OnlyNamesWithoutVersionAreKnown) {
  for (const char* name : {"cuCtxCreate_v2", "cuStreamSynchronize_ptsz", "cuNope", ""}) {
    const Answer answer = Ask(name, 13000);
    EXPECT_EQ(answer.result, CUDA_SUCCESS) << name;
    EXPECT_EQ(answer.function, nullptr) << name;
    EXPECT_EQ(answer.status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND) << name;
  }
}

TEST_F(ProcAddressTest, FlagsChooseTheDefaultStream) {
  constexpr auto kPerThread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  EXPECT_EQ(Ask("cuStreamSynchronize", 12000).function, Symbol("cuStreamSynchronize"));
  EXPECT_EQ(Ask("cuStreamSynchronize", 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM).function,
            Symbol("cuStreamSynchronize"));
  EXPECT_EQ(Ask("cuStreamSynchronize", 12000, kPerThread).function,
            Symbol("cuStreamSynchronize_ptsz"));
  EXPECT_EQ(Ask("cuMemcpyHtoD", 12000, kPerThread).function, Symbol("cuMemcpyHtoD_v2_ptds"));
  EXPECT_EQ(Ask("cuInit", 12000, kPerThread).function, Symbol("cuInit"));
}

TEST_F(ProcAddressTest, WhatNoDriverAcceptsIsRefused) {
  EXPECT_EQ(Ask("cuInit", 12000, 99).result, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Ask("cuInit", 99000).result, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Ask(nullptr, 12000).result, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Ask("cuInit", -1).result, CUDA_SUCCESS);
}

TEST_F(ProcAddressTest, TheStatusMayBeLeftOut) {
  auto* ask = reinterpret_cast<decltype(&cuGetProcAddress_v2)>(Symbol("cuGetProcAddress_v2"));
  void* function = nullptr;
  EXPECT_EQ(ask("cuInit", &function, 12000, 0, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(function, Symbol("cuInit"));
}

TEST_F(ProcAddressTest, TheFirstFormHasAnErrorForWhatIsNotThere) {
  auto* ask = reinterpret_cast<decltype(&cuGetProcAddress)>(Symbol("cuGetProcAddress"));
  void* function = this;
  EXPECT_EQ(ask("cuNope", &function, 12000, 0), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(ask("cuMemAlloc", &function, 12000, 0), CUDA_SUCCESS);
  EXPECT_EQ(function, Symbol("cuMemAlloc_v2"));
}

TEST_F(ProcAddressTest, ExportTablesAreRefusedAndNamed) {
  auto* ask = reinterpret_cast<decltype(&cuGetExportTable)>(Symbol("cuGetExportTable"));
  CUuuid id{};
  id.bytes[0] = '\x6b';
  id.bytes[15] = '\x01';
  const void* table = this;
  EXPECT_EQ(ask(&table, &id), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(table, nullptr);
  ASSERT_EQ(fake_.FindingCount(), 1u);
  EXPECT_EQ(fake_.Findings()[0].rule, "api.export_table");
  EXPECT_EQ(fake_.Findings()[0].object, "6b000000000000000000000000000001");
}

}  // namespace
}  // namespace culprit::fakedriver::shim
