// SPDX-License-Identifier: Apache-2.0
//
// Launches. A context comes from the stream; a default stream needs a current one. A function runs
// in streams of its own context only, as measured on driver 580.
#include "fakedriver/exec/launch.h"
#include "fakedriver/handlers/function_attributes.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/kernel_launch.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult CheckCooperative(const Function& function, const exec::LaunchConfig& config) {
  const KernelOnDevice kernel = OnDevice(function);
  int multiprocessors = 0;
  kernel.device.Attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &multiprocessors);
  const uint64_t resident =
      static_cast<uint64_t>(multiprocessors) *
      BlocksPerMultiprocessor(kernel, config.block.Count(), config.dynamic_shared_bytes);
  return config.grid.Count() > resident ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

CUresult Launch(CUfunction f, const exec::LaunchConfig& config, CUstream hStream,
                void** kernelParams, void** extra) {
  // As recorded, the stream, and with a token the context, is looked at before the function.
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Context& context = *stream->context();
  Ref<Function> function;
  if (CUresult result = NeedFunction(f, "f", context, &function); result != CUDA_SUCCESS) {
    return result;
  }
  if (CUresult result = CheckConfig(*function, config); result != CUDA_SUCCESS) return result;
  if (config.cooperative) {
    if (CUresult result = CheckCooperative(*function, config); result != CUDA_SUCCESS) {
      return result;
    }
  }
  KernelLaunch launch;
  launch.module = function->module_ref();
  launch.kernel = function->kernel();
  launch.config = config;
  launch.function = function->handle();
  if (CUresult result = CollectParameters(*function, kernelParams, extra, &launch.parameters);
      result != CUDA_SUCCESS) {
    return result;
  }
  return Submit(std::move(launch), *stream);
}

}  // namespace

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                        void** kernelParams, void** extra) {
  exec::LaunchConfig config;
  config.grid = {gridDimX, gridDimY, gridDimZ};
  config.block = {blockDimX, blockDimY, blockDimZ};
  config.dynamic_shared_bytes = sharedMemBytes;
  return Launch(f, config, hStream, kernelParams, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams,
                          void** extra) {
  if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  exec::LaunchConfig wanted;
  wanted.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
  wanted.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
  wanted.dynamic_shared_bytes = config->sharedMemBytes;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config->attrs[i];
    switch (attribute.id) {
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        wanted.cooperative = attribute.value.cooperative != 0;
        break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        wanted.cluster = {attribute.value.clusterDim.x, attribute.value.clusterDim.y,
                          attribute.value.clusterDim.z};
        break;
      default:
        break;  // hints: scheduling, priorities, caching
    }
  }
  return Launch(f, wanted, config->hStream, kernelParams, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void** kernelParams) {
  exec::LaunchConfig config;
  config.grid = {gridDimX, gridDimY, gridDimZ};
  config.block = {blockDimX, blockDimY, blockDimZ};
  config.dynamic_shared_bytes = sharedMemBytes;
  config.cooperative = true;
  return Launch(f, config, hStream, kernelParams, nullptr);
}

}  // namespace culprit::fakedriver::handlers
