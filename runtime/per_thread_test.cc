// SPDX-License-Identifier: Apache-2.0
//
// The entries of programs whose stream 0 is the calling thread's own.
#include <array>
#include <numeric>

#include "runtime/testing/runtime_program.h"

extern "C" {
cudaError_t cudaMemcpy_ptds(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2D_ptds(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemset2D_ptds(void*, size_t, int, size_t, size_t);
cudaError_t cudaMemset2DAsync_ptsz(void*, size_t, int, size_t, size_t, cudaStream_t);
cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t, cudaGraph_t*);
cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t, cudaStreamCallback_t, void*, unsigned);
cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t, unsigned*);
cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t, int*);
cudaError_t cudaStreamGetId_ptsz(cudaStream_t, unsigned long long*);
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t);
cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t, cudaStream_t, unsigned);
cudaError_t cudaMallocFromPoolAsync_ptsz(void**, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaFreeAsync_ptsz(void*, cudaStream_t);
cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGetDriverEntryPoint_ptsz(const char*, void**, unsigned long long,
                                         cudaDriverEntryPointQueryResult*);
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char*, void**, unsigned, unsigned long long,
                                                  cudaDriverEntryPointQueryResult*);
}

namespace culprit::runtime {
namespace {

using ::testing::Each;
using testing::RuntimeTest;

TEST_F(RuntimeTest, ThreadsHaveAStreamOfTheirOwnBehindStreamZero) {
  unsigned long long asked = 0;
  unsigned long long own = 0;
  unsigned long long legacy = 0;
  ASSERT_EQ(cudaStreamGetId_ptsz(nullptr, &asked), cudaSuccess);
  ASSERT_EQ(cudaStreamGetId(cudaStreamPerThread, &own), cudaSuccess);
  ASSERT_EQ(cudaStreamGetId(cudaStreamLegacy, &legacy), cudaSuccess);
  EXPECT_EQ(asked, own);
  EXPECT_NE(asked, legacy);
  unsigned flags = 99;
  unsigned flags_of_own = 98;
  EXPECT_EQ(cudaStreamGetFlags_ptsz(nullptr, &flags), cudaSuccess);
  EXPECT_EQ(cudaStreamGetFlags(cudaStreamPerThread, &flags_of_own), cudaSuccess);
  EXPECT_EQ(flags, flags_of_own);
  int priority = 99;
  EXPECT_EQ(cudaStreamGetPriority_ptsz(nullptr, &priority), cudaSuccess);
  EXPECT_EQ(priority, 0);
}

// The legacy stream cannot be captured.
TEST_F(RuntimeTest, TheStreamOfAThreadIsCaptured) {
  void* memory = nullptr;
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync_ptsz(&memory, 64, pool, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemset2D_ptds(memory, 32, 1, 32, 2), cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture_ptsz(nullptr, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaMemset2DAsync_ptsz(memory, 32, 7, 16, 2, nullptr), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture_ptsz(nullptr, &graph), cudaSuccess);
  std::array<char, 64> bytes{};
  ASSERT_EQ(cudaMemcpy_ptds(bytes.data(), memory, 64, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_THAT(bytes, Each(1));
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphUpload_ptsz(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch_ptsz(executable, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D_ptds(bytes.data(), 32, memory, 32, 32, 2, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(std::accumulate(bytes.begin(), bytes.end(), 0), 32 * 7 + 32 * 1);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync_ptsz(memory, nullptr), cudaSuccess);
}

TEST_F(RuntimeTest, CallbacksAndEventsAreOfTheThreadsStream) {
  cudaStream_t told = nullptr;
  const auto tell = [](cudaStream_t stream, cudaError_t, void* to) {
    *static_cast<cudaStream_t*>(to) = stream;
  };
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaStreamAddCallback_ptsz(nullptr, tell, &told, 0), cudaSuccess);
  EXPECT_EQ(cudaEventRecordWithFlags_ptsz(event, nullptr, cudaEventRecordDefault), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(told, cudaStreamPerThread);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST_F(RuntimeTest, DriverEntriesAreThoseOfTheThreadsStreamUnlessOthersAreAskedFor) {
  const char* symbol = "cuStreamSynchronize";
  void* legacy = nullptr;
  void* own = nullptr;
  ASSERT_EQ(cudaGetDriverEntryPointByVersion(symbol, &legacy, CUDART_VERSION,
                                             cudaEnableLegacyStream, nullptr),
            cudaSuccess);
  ASSERT_EQ(cudaGetDriverEntryPointByVersion(symbol, &own, CUDART_VERSION,
                                             cudaEnablePerThreadDefaultStream, nullptr),
            cudaSuccess);
  ASSERT_NE(legacy, own);
  void* found = nullptr;
  EXPECT_EQ(cudaGetDriverEntryPoint_ptsz(symbol, &found, cudaEnableDefault, nullptr), cudaSuccess);
  EXPECT_EQ(found, own);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion_ptsz(symbol, &found, CUDART_VERSION, cudaEnableDefault,
                                                  nullptr),
            cudaSuccess);
  EXPECT_EQ(found, own);
  EXPECT_EQ(cudaGetDriverEntryPoint_ptsz(symbol, &found, cudaEnableLegacyStream, nullptr),
            cudaSuccess);
  EXPECT_EQ(found, legacy);
}

}  // namespace
}  // namespace culprit::runtime
