// SPDX-License-Identifier: Apache-2.0
//
// What a kernel says of itself, and how many of its blocks fit on a multiprocessor.
#include "runtime/runtime.h"

using namespace culprit::runtime;

namespace {

class KernelAttributes {
 public:
  KernelAttributes(CUkernel kernel, CUdevice device) : kernel_(kernel), device_(device) {}

  // The first failure stays; the value is then 0.
  int operator()(CUfunction_attribute attribute) {
    int value = 0;
    const CUresult result = cuKernelGetAttribute(&value, attribute, kernel_, device_);
    if (result_ == CUDA_SUCCESS) result_ = result;
    return value;
  }
  CUresult result() const { return result_; }

 private:
  CUkernel kernel_;
  CUdevice device_;
  CUresult result_ = CUDA_SUCCESS;
};

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (attributes == nullptr) return Keep(cudaErrorInvalidValue);
  CUkernel kernel = nullptr;
  if (const cudaError_t error = FindKernel(function, &kernel); error != cudaSuccess) {
    return Keep(error);
  }
  return InContext([&] {
    CUdevice device = 0;
    if (const CUresult result = cuCtxGetDevice(&device); result != CUDA_SUCCESS) return result;
    KernelAttributes get(kernel, device);
    cudaFuncAttributes filled{};
    filled.sharedSizeBytes = get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    filled.constSizeBytes = get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
    filled.localSizeBytes = get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    filled.maxThreadsPerBlock = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    filled.numRegs = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
    filled.ptxVersion = get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
    filled.binaryVersion = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    filled.cacheModeCA = get(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
    filled.maxDynamicSharedSizeBytes = get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    filled.preferredShmemCarveout = get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    filled.clusterDimMustBeSet = get(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
    filled.requiredClusterWidth = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
    filled.requiredClusterHeight = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
    filled.requiredClusterDepth = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
    if (get.result() == CUDA_SUCCESS) *attributes = filled;
    return get.result();
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  CUfunction found = nullptr;
  if (const cudaError_t error = FindFunction(function, &found); error != cudaSuccess) {
    return Keep(error);
  }
  return Keep(cuFuncSetAttribute(found, static_cast<CUfunction_attribute>(attribute), value));
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
  CUfunction found = nullptr;
  if (const cudaError_t error = FindFunction(function, &found); error != cudaSuccess) {
    return Keep(error);
  }
  return Keep(cuFuncSetCacheConfig(found, static_cast<CUfunc_cache>(config)));
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  CUkernel kernel = nullptr;
  if (const cudaError_t error = FindKernel(function, &kernel); error != cudaSuccess) {
    return Keep(error);
  }
  return Keep(cuKernelGetName(name, kernel));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int block_size, size_t shared_bytes, unsigned flags) {
  CUfunction found = nullptr;
  if (const cudaError_t error = FindFunction(function, &found); error != cudaSuccess) {
    return Keep(error);
  }
  return Keep(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, found, block_size,
                                                                   shared_bytes, flags));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_size, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                shared_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int block_size) {
  CUfunction found = nullptr;
  if (const cudaError_t error = FindFunction(function, &found); error != cudaSuccess) {
    return Keep(error);
  }
  return Keep(cuOccupancyAvailableDynamicSMemPerBlock(bytes, found, blocks, block_size));
}
