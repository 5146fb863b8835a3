// SPDX-License-Identifier: Apache-2.0
//
// Memory that nodes of graphs allocate and free, and what a device holds of it.
#include <cstddef>

#include "runtime/runtime.h"

using namespace culprit::runtime;

namespace {

static_assert(sizeof(cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));
static_assert(offsetof(cudaMemAllocNodeParams, accessDescs) ==
              offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, accessDescs));
static_assert(offsetof(cudaMemAllocNodeParams, dptr) == offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, dptr));

CUDA_MEM_ALLOC_NODE_PARAMS* Params(cudaMemAllocNodeParams* params) {
  return reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS*>(params);
}

}  // namespace

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* params) {
  return InContext(
      [&] { return cuGraphAddMemAllocNode(node, graph, dependencies, count, Params(params)); });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return InContext([&] { return cuGraphMemAllocNodeGetParams(node, Params(params)); });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* memory) {
  return InContext(
      [&] { return cuGraphAddMemFreeNode(node, graph, dependencies, count, Address(memory)); });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* memory) {
  return InContext(
      [&] { return cuGraphMemFreeNodeGetParams(node, static_cast<CUdeviceptr*>(memory)); });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return InDriver([&] { return cuDeviceGraphMemTrim(device); });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return InDriver([&] {
    return cuDeviceGetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute),
                                        value);
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return InDriver([&] {
    return cuDeviceSetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute),
                                        value);
  });
}
