// SPDX-License-Identifier: Apache-2.0
//
// Graphs that allocate and free memory.
#include <cstdint>

#include "runtime/testing/runtime_program.h"

namespace culprit::runtime {
namespace {

using testing::RuntimeTest;

constexpr size_t kBytes = 64;

class GraphMemoryTest : public RuntimeTest {
 protected:
  GraphMemoryTest() { EXPECT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess); }
  ~GraphMemoryTest() override {
    EXPECT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
    EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  }

  cudaGraphNode_t Allocate(void** memory) {
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location = {cudaMemLocationTypeDevice, 0};
    params.bytesize = kBytes;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params), cudaSuccess);
    EXPECT_NE(params.dptr, nullptr);
    *memory = params.dptr;
    return node;
  }
  void LaunchOnce() {
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph_, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  }
  static uint64_t Attribute(cudaGraphMemAttributeType attribute) {
    uint64_t value = ~uint64_t{0};
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, attribute, &value), cudaSuccess);
    return value;
  }

  cudaGraph_t graph_ = nullptr;
};

TEST_F(GraphMemoryTest, WhatALaunchLeavesIsUsedAndFreed) {
  void* memory = nullptr;
  Allocate(&memory);
  LaunchOnce();
  EXPECT_EQ(cudaMemset(memory, 7, kBytes), cudaSuccess);
  unsigned char byte = 0;
  EXPECT_EQ(cudaMemcpy(&byte, memory, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(byte, 7);
  EXPECT_EQ(Attribute(cudaGraphMemAttrUsedMemCurrent), kBytes);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(Attribute(cudaGraphMemAttrUsedMemCurrent), 0u);
}

TEST_F(GraphMemoryTest, NodesSayWhatTheyAllocateAndFree) {
  void* memory = nullptr;
  cudaGraphNode_t allocation = Allocate(&memory);
  cudaGraphNode_t free = nullptr;
  ASSERT_EQ(cudaGraphAddMemFreeNode(&free, graph_, &allocation, 1, memory), cudaSuccess);
  cudaMemAllocNodeParams params{};
  ASSERT_EQ(cudaGraphMemAllocNodeGetParams(allocation, &params), cudaSuccess);
  EXPECT_EQ(params.dptr, memory);
  EXPECT_EQ(params.bytesize, kBytes);
  EXPECT_EQ(params.poolProps.location.type, cudaMemLocationTypeDevice);
  void* freed = nullptr;
  ASSERT_EQ(cudaGraphMemFreeNodeGetParams(free, &freed), cudaSuccess);
  EXPECT_EQ(freed, memory);
  EXPECT_EQ(cudaGraphMemFreeNodeGetParams(allocation, &freed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(GraphMemoryTest, ADeviceTellsWhatGraphsHoldAndGivesItBack) {
  void* memory = nullptr;
  cudaGraphNode_t allocation = Allocate(&memory);
  cudaGraphNode_t free = nullptr;
  ASSERT_EQ(cudaGraphAddMemFreeNode(&free, graph_, &allocation, 1, memory), cudaSuccess);
  LaunchOnce();
  EXPECT_GE(Attribute(cudaGraphMemAttrReservedMemCurrent), kBytes);
  EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  EXPECT_EQ(Attribute(cudaGraphMemAttrReservedMemCurrent), 0u);
  EXPECT_GE(Attribute(cudaGraphMemAttrReservedMemHigh), kBytes);
  uint64_t zero = 0;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero), cudaSuccess);
  EXPECT_EQ(Attribute(cudaGraphMemAttrReservedMemHigh), 0u);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGraphMemTrim(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

}  // namespace
}  // namespace culprit::runtime
