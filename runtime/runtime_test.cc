// SPDX-License-Identifier: Apache-2.0
//
// The runtime on the fake driver: kernels, errors, pointers, streams.
#include <array>
#include <atomic>
#include <numeric>
#include <vector>

#include "runtime/testing/runtime_program.h"

namespace culprit::runtime {
namespace {

using ::testing::ElementsAre;
using testing::RuntimeTest;

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

TEST_F(RuntimeTest, AFailureIsKeptUntilItIsFetched) {
  EXPECT_EQ(Scale(nullptr, 5000), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// Programs that poll fetch the error to be rid of it.
TEST_F(RuntimeTest, NotReadyIsKeptAsWell) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  std::atomic<bool> go = false;
  const auto wait = [](void* signal) { static_cast<std::atomic<bool>*>(signal)->wait(false); };
  ASSERT_EQ(cudaLaunchHostFunc(stream, wait, &go), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  go = true;
  go.notify_all();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
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
}  // namespace culprit::runtime
