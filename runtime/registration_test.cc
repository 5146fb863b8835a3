// SPDX-License-Identifier: Apache-2.0
//
// What programs register, and what they did not.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/testing/own_process.h"
#include "runtime/testing/runtime_program.h"

namespace culprit::runtime {
namespace {

using testing::FatBinary;
using testing::kElfEntry;
using testing::kHeader;
using testing::kPtxEntry;
using testing::OwnProcess;
using testing::RuntimeTest;
using testing::Wrapper;

// A program of two objects that were compiled apart.
class RelocatableProgramTest : public ::testing::Test {
 protected:
  RelocatableProgramTest() {
    wrapper_ = {.version = 2, .image = linked_.data(), .parts = parts_.data()};
    handle_ = __cudaRegisterFatBinary(&wrapper_);
    __cudaRegisterFunction(handle_, &apply_, &apply_, "apply", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
  }
  ~RelocatableProgramTest() override { __cudaUnregisterFatBinary(handle_); }

  // Answers the launch's error; twice 21 is 42 without one.
  cudaError_t Apply() {
    int* value = nullptr;
    EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&value), 4, cudaMemAttachGlobal),
              cudaSuccess);
    *value = 21;
    void* arguments[] = {&value};
    const cudaError_t error =
        cudaLaunchKernel(&apply_, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(*value, error == cudaSuccess ? 42 : 21);
    EXPECT_EQ(cudaFree(value), cudaSuccess);
    return error;
  }

 private:
  const std::vector<uint64_t> linked_ = FatBinary(kElfEntry, "machine code");
  const std::vector<uint64_t> caller_ = FatBinary(kPtxEntry, std::string(kHeader) + R"(
.extern .func (.param .b32 result) twice(.param .b32 value);
.visible .entry apply(.param .u64 at) {
  .reg .b64 %p; .reg .b32 %r;
  ld.param.u64 %p, [at];
  ld.global.u32 %r, [%p];
  { .param .b32 value; .param .b32 result;
    st.param.b32 [value], %r;
    call (result), twice, (value);
    ld.param.b32 %r, [result]; }
  st.global.u32 [%p], %r;
  ret;
})");
  const std::vector<uint64_t> callee_ = FatBinary(kPtxEntry, std::string(kHeader) + R"(
.visible .func (.param .b32 result) twice(.param .b32 value) {
  .reg .b32 %r;
  ld.param.b32 %r, [value];
  add.u32 %r, %r, %r;
  st.param.b32 [result], %r;
  ret;
})");
  const std::array<const void*, 3> parts_ = {caller_.data(), callee_.data(), nullptr};
  Wrapper wrapper_;
  void** handle_ = nullptr;
  char apply_ = 0;
};

TEST_F(RelocatableProgramTest, IsLinkedFromItsParts) { EXPECT_EQ(Apply(), cudaSuccess); }

TEST_F(RelocatableProgramTest, ALinkThatCannotBeEndedIsAnswered) {
  const OwnProcess process({.plan = "- {entry: cuLinkDestroy, before: CUDA_ERROR_UNKNOWN}"});
  EXPECT_EXIT(process.Run([&] {
    EXPECT_EQ(Apply(), cudaErrorUnknown);
    EXPECT_EQ(cudaGetLastError(), cudaErrorUnknown);
    EXPECT_EQ(Apply(), cudaSuccess);
  }),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeTest, UnknownSymbolsAreRefused) {
  char other = 0;
  void* address = nullptr;
  EXPECT_EQ(cudaLaunchKernel(&other, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGetSymbolAddress(&address, &other), cudaErrorInvalidSymbol);
  int part = 0;
  EXPECT_EQ(cudaMemcpyToSymbol(&factor_, &part, 4, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(&part, &part, 4, static_cast<cudaMemcpyKind>(9)),
            cudaErrorInvalidMemcpyDirection);
}

}  // namespace
}  // namespace culprit::runtime
