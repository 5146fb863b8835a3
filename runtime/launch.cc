// SPDX-License-Identifier: Apache-2.0
//
// Kernel launches: kernel<<<grid, block, shared, stream>>>(...), the launch functions, and what a
// kernel says of itself.
#include <vector>

#include "runtime/runtime.h"

namespace culprit::runtime {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;
};

// What the driver calls an invalid value of a launch, the runtime calls an invalid configuration.
CUresult ForRuntime(CUresult result) {
  return result == CUDA_ERROR_INVALID_VALUE ? static_cast<CUresult>(cudaErrorInvalidConfiguration)
                                            : result;
}

// Between <<<...>>> and the stub that launches; nested when an argument's constructor launches,
// too.
thread_local std::vector<Configuration> configurations;

CUfunction AsFunction(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

cudaError_t Launch(CUkernel kernel, const dim3& grid, const dim3& block, void** arguments,
                   size_t shared_bytes, cudaStream_t stream) {
  return InContext([&] {
    return ForRuntime(cuLaunchKernel(AsFunction(kernel), grid.x, grid.y, grid.z, block.x, block.y,
                                     block.z, static_cast<unsigned>(shared_bytes), stream,
                                     arguments, nullptr));
  });
}

}  // namespace
}  // namespace culprit::runtime

using namespace culprit::runtime;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  if (configurations.empty()) return Keep(cudaErrorMissingConfiguration);
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  // Without a kernel the error of __cudaGetKernel is kept already, and says more.
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  return Launch(kernel, grid, block, arguments, shared_bytes, stream);
}

}  // extern "C"

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  CUkernel kernel = nullptr;
  if (const cudaError_t error = FindKernel(function, &kernel); error != cudaSuccess) {
    return Keep(error);
  }
  return Launch(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  CUkernel kernel = nullptr;
  if (const cudaError_t error = FindKernel(function, &kernel); error != cudaSuccess) {
    return Keep(error);
  }
  return InContext([&] {
    return ForRuntime(
        cuLaunchCooperativeKernel(AsFunction(kernel), grid.x, grid.y, grid.z, block.x, block.y,
                                  block.z, static_cast<unsigned>(shared_bytes), stream, arguments));
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (config == nullptr) return Keep(cudaErrorInvalidValue);
  CUkernel kernel = nullptr;
  if (const cudaError_t error = FindKernel(function, &kernel); error != cudaSuccess) {
    return Keep(error);
  }
  static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
  CUlaunchConfig launch{};
  launch.gridDimX = config->gridDim.x;
  launch.gridDimY = config->gridDim.y;
  launch.gridDimZ = config->gridDim.z;
  launch.blockDimX = config->blockDim.x;
  launch.blockDimY = config->blockDim.y;
  launch.blockDimZ = config->blockDim.z;
  launch.sharedMemBytes = static_cast<unsigned>(config->dynamicSmemBytes);
  launch.hStream = config->stream;
  launch.attrs = reinterpret_cast<CUlaunchAttribute*>(config->attrs);
  launch.numAttrs = config->numAttrs;
  return InContext([&] {
    return ForRuntime(cuLaunchKernelEx(&launch, AsFunction(kernel), arguments, nullptr));
  });
}
