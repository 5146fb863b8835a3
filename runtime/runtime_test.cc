// SPDX-License-Identifier: Apache-2.0
//
// The runtime on the fake driver, used as the host code that nvcc writes uses it: the fat binaries
// are made here, of PTX.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
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

namespace culprit {
namespace {

using ::testing::ElementsAre;

constexpr uint16_t kPtxEntry = 1;
constexpr uint16_t kElfEntry = 2;

// A fat binary with one entry.
std::vector<uint64_t> FatBinary(uint16_t kind, std::string_view payload) {
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

constexpr std::string_view kHeader = ".version 7.5\n.target sm_75\n.address_size 64\n";
constexpr std::string_view kScale = R"(
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

TEST_F(RuntimeTest, KernelsReadAndWriteMemoryAndVariables) {
  std::vector<float> host = {1, 2, 3, 4};
  float* values = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&values), 16), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(values, host.data(), 16, cudaMemcpyHostToDevice), cudaSuccess);
  const float factor = 2.5f;
  ASSERT_EQ(cudaMemcpyToSymbol(&factor_, &factor, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_NE(__cudaInitModule(handle_), 0);
  EXPECT_EQ(Scale(values, 4), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host.data(), values, 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_THAT(host, ElementsAre(2.5f, 5, 7.5f, 10));
  unsigned last = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&last, &last_, 4, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_LT(last, 4u);
  EXPECT_EQ(*launches_, 4u);
  EXPECT_EQ(cudaFree(values), cudaSuccess);
}

TEST_F(RuntimeTest, RelocatableCodeIsLinkedFromItsParts) {
  const std::vector<uint64_t> linked = FatBinary(kElfEntry, "machine code");
  const std::vector<uint64_t> caller = FatBinary(kPtxEntry, std::string(kHeader) + R"(
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
  const std::vector<uint64_t> callee = FatBinary(kPtxEntry, std::string(kHeader) + R"(
.visible .func (.param .b32 result) twice(.param .b32 value) {
  .reg .b32 %r;
  ld.param.b32 %r, [value];
  add.u32 %r, %r, %r;
  st.param.b32 [result], %r;
  ret;
})");
  const void* parts[] = {caller.data(), callee.data(), nullptr};
  Wrapper wrapper{.version = 2, .image = linked.data(), .parts = parts};
  void** handle = __cudaRegisterFatBinary(&wrapper);
  char apply = 0;
  __cudaRegisterFunction(handle, &apply, &apply, "apply", -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  int* value = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&value), 4, cudaMemAttachGlobal),
            cudaSuccess);
  *value = 21;
  void* arguments[] = {&value};
  EXPECT_EQ(cudaLaunchKernel(&apply, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*value, 42);
  EXPECT_EQ(cudaFree(value), cudaSuccess);
  __cudaUnregisterFatBinary(handle);
}

TEST_F(RuntimeTest, AFailureIsKeptUntilItIsFetched) {
  EXPECT_EQ(Scale(nullptr, 5000), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
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

TEST_F(RuntimeTest, PointersSayWhatTheyAre) {
  void* device = nullptr;
  void* pinned = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, device), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.devicePointer, device);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  int here = 0;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &here), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(RuntimeTest, StreamsEventsAndCapturedGraphs) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  void* memory = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&memory, 64, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory, 7, 64, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(event), cudaSuccess);
  std::array<char, 64> bytes{};
  ASSERT_EQ(cudaMemcpy(bytes.data(), memory, 64, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::accumulate(bytes.begin(), bytes.end(), 0), 7 * 64);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(RuntimeTest, DevicesAndKernelsDescribeThemselves) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  int threads = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0), cudaSuccess);
  EXPECT_EQ(properties.maxThreadsPerBlock, threads);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &scale_), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.ptxVersion, 75);
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_, 1024, 0), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidDeviceFunction), "cudaErrorInvalidDeviceFunction");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
}

}  // namespace
}  // namespace culprit
