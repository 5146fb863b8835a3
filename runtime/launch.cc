// SPDX-License-Identifier: Apache-2.0
//
// Kernel launches: kernel<<<grid, block, shared, stream>>>(...) and the launch functions.
#include <array>
#include <cstdint>
#include <type_traits>

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
// too. Static objects launch from their destructors, when the thread's own objects have been
// destroyed: nothing here may have a destructor.
struct Configurations {
  std::array<Configuration, 16> kept;
  size_t depth;
};
static_assert(std::is_trivially_destructible_v<Configurations>);
thread_local constinit Configurations configurations{};

// The driver takes the size of shared memory as 32 bits.
bool FitsTheDriver(size_t shared_bytes) { return shared_bytes <= UINT32_MAX; }

CUfunction AsFunction(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

cudaError_t Launch(CUkernel kernel, const dim3& grid, const dim3& block, void** arguments,
                   size_t shared_bytes, cudaStream_t stream) {
  if (!FitsTheDriver(shared_bytes)) return Keep(cudaErrorInvalidValue);
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

// Any other answer than 0 skips the launch, with its arguments; only the kept error tells of it.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  Configurations& waiting = configurations;
  if (waiting.depth == waiting.kept.size()) return Keep(cudaErrorInvalidConfiguration);
  waiting.kept[waiting.depth++] = {grid, block, shared_bytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  Configurations& waiting = configurations;
  if (waiting.depth == 0) return Keep(cudaErrorMissingConfiguration);
  const Configuration& last = waiting.kept[--waiting.depth];
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
  if (!FitsTheDriver(shared_bytes)) return Keep(cudaErrorInvalidValue);
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
  if (!FitsTheDriver(config->dynamicSmemBytes)) return Keep(cudaErrorInvalidValue);
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
