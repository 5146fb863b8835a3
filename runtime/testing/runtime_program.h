// SPDX-License-Identifier: Apache-2.0
//
// A program on the runtime, as the host code that nvcc writes is one: its fat binaries are made
// here, of PTX.
#ifndef RUNTIME_TESTING_RUNTIME_PROGRAM_H_
#define RUNTIME_TESTING_RUNTIME_PROGRAM_H_

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, size_t, int, int);
char __cudaInitModule(void**);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*);
cudaError_t __cudaGetKernel(cudaKernel_t*, const void*);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
}

namespace culprit::runtime::testing {

inline constexpr uint16_t kPtxEntry = 1;
inline constexpr uint16_t kElfEntry = 2;

// A fat binary with one entry.
inline std::vector<uint64_t> FatBinary(uint16_t kind, std::string_view payload) {
  const uint64_t padded = (payload.size() + 8) / 8 * 8;
  std::vector<uint64_t> words((16 + 64 + padded) / 8);
  auto* bytes = reinterpret_cast<char*>(words.data());
  const uint32_t magic = 0xba55ed50;
  const std::array<uint16_t, 2> header = {1, 16};
  const uint64_t entries = 64 + padded;
  std::memcpy(bytes, &magic, 4);
  std::memcpy(bytes + 4, header.data(), 4);
  std::memcpy(bytes + 8, &entries, 8);
  const std::array<uint16_t, 2> entry = {kind, 0x101};
  const uint32_t entry_header = 64;
  const uint32_t architecture = 75;
  std::memcpy(bytes + 16, entry.data(), 4);
  std::memcpy(bytes + 20, &entry_header, 4);
  std::memcpy(bytes + 24, &padded, 8);
  std::memcpy(bytes + 44, &architecture, 4);
  std::memcpy(bytes + 80, payload.data(), payload.size());
  return words;
}

struct Wrapper {
  uint32_t magic = 0x466243b1;
  uint32_t version = 1;
  const void* image = nullptr;
  const void* const* parts = nullptr;
};

inline constexpr std::string_view kHeader = ".version 7.5\n.target sm_75\n.address_size 64\n";
inline constexpr std::string_view kScale = R"(
.visible .const .align 4 .f32 factor;
.visible .global .align 4 .u32 last;
.visible .global .attribute(.managed) .align 4 .u32 launches = 0;
.visible .entry scale(.param .u64 values) {
  .reg .b64 %p<3>; .reg .f32 %f<3>; .reg .b32 %r<3>;
  ld.param.u64 %p0, [values];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %p1, %r0, 4;
  add.s64 %p0, %p0, %p1;
  ld.global.f32 %f0, [%p0];
  ld.const.f32 %f1, [factor];
  mul.f32 %f0, %f0, %f1;
  st.global.f32 [%p0], %f0;
  st.global.u32 [last], %r0;
  atom.global.add.u32 %r1, [launches], 1;
  ret;
})";

// As in a program: each kernel and variable has an address on the host that stands for it.
class RuntimeTest : public ::testing::Test {
 protected:
  RuntimeTest() : image_(FatBinary(kPtxEntry, std::string(kHeader).append(kScale))) {
    wrapper_.image = image_.data();
    handle_ = __cudaRegisterFatBinary(&wrapper_);
    __cudaRegisterFunction(handle_, &scale_, &scale_, "scale", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    __cudaRegisterVar(handle_, &factor_, &factor_, "factor", 0, 4, 1, 0);
    __cudaRegisterVar(handle_, &last_, &last_, "last", 0, 4, 0, 0);
    __cudaRegisterManagedVar(handle_, reinterpret_cast<void**>(&launches_), nullptr, "launches", 0,
                             4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle_);
    cudaGetLastError();
  }
  ~RuntimeTest() override { __cudaUnregisterFatBinary(handle_); }

  // As the stub of kernel<<<1, threads>>>(values) does.
  cudaError_t Scale(float* values, unsigned threads) {
    __cudaPushCallConfiguration({1, 1, 1}, {threads, 1, 1}, 0, nullptr);
    cudaKernel_t kernel = nullptr;
    if (const cudaError_t error = __cudaGetKernel(&kernel, &scale_); error != cudaSuccess) {
      return error;
    }
    dim3 grid;
    dim3 block;
    size_t shared = 0;
    cudaStream_t stream = nullptr;
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    void* arguments[] = {&values};
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  }

  std::vector<uint64_t> image_;
  Wrapper wrapper_;
  void** handle_ = nullptr;
  char scale_ = 0;
  char factor_ = 0;
  char last_ = 0;
  unsigned* launches_ = nullptr;
};

}  // namespace culprit::runtime::testing

#endif  // RUNTIME_TESTING_RUNTIME_PROGRAM_H_
