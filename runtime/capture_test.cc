// SPDX-License-Identifier: Apache-2.0
//
// Captures into a graph that is there already, what a capturing stream says of itself, and the
// edges of the graph that comes of it.
#include <array>

#include "runtime/testing/runtime_program.h"

extern "C" {
cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t, cudaStreamCaptureStatus*,
                                          unsigned long long*, cudaGraph_t*,
                                          const cudaGraphNode_t**, const cudaGraphEdgeData**,
                                          size_t*);
cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t, cudaGraph_t, const cudaGraphNode_t*,
                                               const cudaGraphEdgeData*, size_t,
                                               cudaStreamCaptureMode);
cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t, cudaGraphNode_t*,
                                                     const cudaGraphEdgeData*, size_t, unsigned);
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t, cudaGraph_t*);
}

namespace culprit::runtime {
namespace {

using testing::RuntimeTest;

class CaptureTest : public RuntimeTest {
 protected:
  CaptureTest() {
    EXPECT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&memory_, 64), cudaSuccess);
    EXPECT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  }
  ~CaptureTest() override {
    EXPECT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
    EXPECT_EQ(cudaFree(memory_), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  cudaError_t Begin() {
    return cudaStreamBeginCaptureToGraph(stream_, graph_, nullptr, nullptr, 0,
                                         cudaStreamCaptureModeThreadLocal);
  }

  cudaStream_t stream_ = nullptr;
  void* memory_ = nullptr;
  cudaGraph_t graph_ = nullptr;
};

TEST_F(CaptureTest, AStreamThatCapturesNothingSaysSo) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  ASSERT_EQ(cudaStreamGetCaptureInfo(stream_, &status, nullptr, nullptr, nullptr, nullptr, nullptr),
            cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream_, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(CaptureTest, ACapturingStreamNamesItsGraphAndWhatComesNextDependsOn) {
  ASSERT_EQ(Begin(), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory_, 1, 64, stream_), cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  const cudaGraphEdgeData* data = nullptr;
  size_t count = 0;
  ASSERT_EQ(cudaStreamGetCaptureInfo(stream_, &status, &id, &graph, &dependencies, &data, &count),
            cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_NE(id, 0u);
  EXPECT_EQ(graph, graph_);
  ASSERT_EQ(count, 1u);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  ASSERT_EQ(cudaGraphNodeGetType(dependencies[0], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemset);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(graph, graph_);
}

TEST_F(CaptureTest, OperationsOfAStreamFollowEachOther) {
  ASSERT_EQ(Begin(), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory_, 1, 64, stream_), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory_, 2, 64, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
  std::array<cudaGraphNode_t, 2> from{};
  std::array<cudaGraphNode_t, 2> to{};
  size_t count = 2;
  ASSERT_EQ(cudaGraphGetEdges(graph_, from.data(), to.data(), nullptr, &count), cudaSuccess);
  ASSERT_EQ(count, 1u);
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphGetRootNodes(graph_, &node, &count), cudaSuccess);
  EXPECT_EQ(node, from[0]);
  ASSERT_EQ(cudaGraphNodeGetDependencies(to[0], &node, nullptr, &count), cudaSuccess);
  EXPECT_EQ(node, from[0]);
  ASSERT_EQ(cudaGraphNodeGetDependentNodes(from[0], &node, nullptr, &count), cudaSuccess);
  EXPECT_EQ(node, to[0]);
}

TEST_F(CaptureTest, WithoutDependenciesTheNextOperationIsARoot) {
  ASSERT_EQ(Begin(), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory_, 1, 32, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamUpdateCaptureDependencies(stream_, nullptr, nullptr, 0,
                                                cudaStreamSetCaptureDependencies),
            cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(static_cast<char*>(memory_) + 32, 2, 32, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
  size_t count = 0;
  ASSERT_EQ(cudaGraphGetRootNodes(graph_, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 2u);
}

TEST_F(CaptureTest, StreamZeroOfProgramsPerThreadIsTheThreadsOwn) {
  ASSERT_EQ(cudaStreamBeginCaptureToGraph_ptsz(nullptr, graph_, nullptr, nullptr, 0,
                                               cudaStreamCaptureModeThreadLocal),
            cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  ASSERT_EQ(
      cudaStreamGetCaptureInfo_ptsz(nullptr, &status, nullptr, nullptr, nullptr, nullptr, nullptr),
      cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies_ptsz(nullptr, nullptr, nullptr, 0,
                                                     cudaStreamSetCaptureDependencies),
            cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture_ptsz(nullptr, &graph_), cudaSuccess);
}

}  // namespace
}  // namespace culprit::runtime
