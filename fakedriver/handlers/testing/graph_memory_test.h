// SPDX-License-Identifier: Apache-2.0
//
// A test that builds graphs whose nodes allocate and free memory.
#ifndef FAKEDRIVER_HANDLERS_TESTING_GRAPH_MEMORY_TEST_H_
#define FAKEDRIVER_HANDLERS_TESTING_GRAPH_MEMORY_TEST_H_

#include <vector>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver::testing {

constexpr size_t kBytes = 64;

class GraphMemoryTest : public DriverTest {
 protected:
  using Nodes = std::vector<CUgraphNode>;

  void Begin(const char* policy = "timed") {
    Start({{"policy", policy}});
    context_ = NewContext();
    stream_ = NewStream();
  }

  CUgraph NewGraph() {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    return graph;
  }
  static CUDA_MEM_ALLOC_NODE_PARAMS Params(size_t bytes) {
    CUDA_MEM_ALLOC_NODE_PARAMS params{};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    params.bytesize = bytes;
    return params;
  }

  struct Made {
    CUgraphNode node = nullptr;
    CUdeviceptr at = 0;
  };
  Made Allocate(CUgraph graph, size_t bytes = kBytes, Nodes after = {}) {
    Made made;
    CUDA_MEM_ALLOC_NODE_PARAMS params = Params(bytes);
    EXPECT_EQ(cu.cuGraphAddMemAllocNode(&made.node, graph, after.data(), after.size(), &params),
              CUDA_SUCCESS);
    made.at = params.dptr;
    EXPECT_NE(made.at, 0u);
    return made;
  }
  CUresult TryFree(CUgraph graph, CUdeviceptr at, Nodes after = {}, CUgraphNode* node = nullptr) {
    CUgraphNode unused = nullptr;
    return cu.cuGraphAddMemFreeNode(node != nullptr ? node : &unused, graph, after.data(),
                                    after.size(), at);
  }
  CUgraphNode Free(CUgraph graph, CUdeviceptr at, Nodes after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(TryFree(graph, at, after, &node), CUDA_SUCCESS);
    return node;
  }
  CUgraphNode Set(CUgraph graph, CUdeviceptr at, unsigned char value, Nodes after,
                  size_t bytes = kBytes) {
    CUgraphNode node = nullptr;
    const CUDA_MEMSET_NODE_PARAMS params{at, 0, value, 1, bytes, 1};
    EXPECT_EQ(cu.cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params, nullptr),
              CUDA_SUCCESS);
    return node;
  }
  CUgraphExec Instantiate(CUgraph graph, unsigned long long flags = 0) {
    CUgraphExec exec = nullptr;
    EXPECT_EQ(cu.cuGraphInstantiateWithFlags(&exec, graph, flags), CUDA_SUCCESS);
    return exec;
  }
  CUresult Launch(CUgraphExec exec, CUstream stream = nullptr) {
    return cu.cuGraphLaunch(exec, stream != nullptr ? stream : stream_);
  }
  void Synchronize() { EXPECT_EQ(cu.cuStreamSynchronize(stream_), CUDA_SUCCESS); }
  unsigned char FirstByte(CUdeviceptr at) {
    unsigned char byte = 0;
    EXPECT_EQ(cu.cuMemcpyDtoH_v2(&byte, at, 1), CUDA_SUCCESS);
    return byte;
  }
  cuuint64_t Attribute(CUgraphMem_attribute attribute) {
    cuuint64_t value = ~cuuint64_t{0};
    EXPECT_EQ(cu.cuDeviceGetGraphMemAttribute(0, attribute, &value), CUDA_SUCCESS);
    return value;
  }

  // A graph that leaves memory with `value` in it.
  struct Leaving {
    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    CUdeviceptr at = 0;
  };
  Leaving MakeLeaving(unsigned char value = 7, unsigned long long flags = 0,
                      size_t bytes = kBytes) {
    Leaving leaving;
    leaving.graph = NewGraph();
    const Made made = Allocate(leaving.graph, bytes);
    Set(leaving.graph, made.at, value, {made.node}, bytes);
    leaving.exec = Instantiate(leaving.graph, flags);
    leaving.at = made.at;
    return leaving;
  }

  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
};

class GraphMemoryUnderEachPolicy : public GraphMemoryTest,
                                   public ::testing::WithParamInterface<const char*> {
 protected:
  GraphMemoryUnderEachPolicy() { Begin(GetParam()); }
};

}  // namespace culprit::fakedriver::testing

#endif  // FAKEDRIVER_HANDLERS_TESTING_GRAPH_MEMORY_TEST_H_
