// SPDX-License-Identifier: Apache-2.0
//
// Devices of the runtime API: choice, properties, limits.
#include "runtime/runtime.h"

using namespace culprit::runtime;

// Of cudaProfiler.h and cuda_profiler_api.h, which not every installation has.
extern "C" {
CUresult cuProfilerStart();
CUresult cuProfilerStop();
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return Keep(cudaErrorInvalidValue);
  return Keep(cuDriverGetVersion(version));
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return Keep(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  return InDriver([&] {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = cuDeviceGetCount(count);
    return result == CUDA_SUCCESS && *count == 0 ? CUDA_ERROR_NO_DEVICE : result;
  });
}

cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return Keep(cudaErrorInvalidValue);
  if (const cudaError_t error = StartDriver(); error != cudaSuccess) return Keep(error);
  CUdevice current = 0;
  *device = cuCtxGetDevice(&current) == CUDA_SUCCESS ? current : CurrentDevice();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = StartDriver(); error != cudaSuccess) return Keep(error);
  int count = 0;
  if (const CUresult result = cuDeviceGetCount(&count); result != CUDA_SUCCESS) return Keep(result);
  return Keep(device < 0 || device >= count ? cudaErrorInvalidDevice : UseDevice(device));
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  if (const cudaError_t error = StartDriver(); error != cudaSuccess) return Keep(error);
  if ((flags & ~unsigned{cudaInitDeviceFlagsAreValid}) != 0) return Keep(cudaErrorInvalidValue);
  if ((flags & cudaInitDeviceFlagsAreValid) != 0) {
    const CUresult result = cuDevicePrimaryCtxSetFlags(device, device_flags);
    if (result != CUDA_SUCCESS) return Keep(result);
  }
  return Keep(InitialiseDevice(device));
}

cudaError_t cudaDeviceSynchronize() {
  return InContext([] { return cuCtxSynchronize(); });
}

cudaError_t cudaDeviceReset() {
  if (const cudaError_t error = StartDriver(); error != cudaSuccess) return Keep(error);
  const int device = CurrentDevice();
  const CUresult reset = cuDevicePrimaryCtxReset(device);
  const cudaError_t released = ReleaseDevice(device);
  return reset != CUDA_SUCCESS ? Keep(reset) : Keep(released);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return InDriver([&] { return cuDevicePrimaryCtxSetFlags(CurrentDevice(), flags); });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return InContext([&] { return cuCtxGetFlags(flags); });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return InDriver([&] {
    return cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(attribute), device);
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return InContext([&] { return cuCtxGetLimit(value, static_cast<CUlimit>(limit)); });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return InContext([&] { return cuCtxSetLimit(static_cast<CUlimit>(limit), value); });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return InContext([&] { return cuCtxGetCacheConfig(reinterpret_cast<CUfunc_cache*>(config)); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return InContext([&] { return cuCtxSetCacheConfig(static_cast<CUfunc_cache>(config)); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return InContext([&] { return cuCtxGetStreamPriorityRange(least, greatest); });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return InDriver([&] { return cuDeviceCanAccessPeer(can, device, peer); });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return InDriver([&] { return cuDeviceGetPCIBusId(text, length, device); });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return InDriver([&] { return cuDeviceGetByPCIBusId(device, text); });
}

cudaError_t cudaProfilerStart() {
  return InContext([] { return cuProfilerStart(); });
}

cudaError_t cudaProfilerStop() {
  return InContext([] { return cuProfilerStop(); });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return InDriver([&] {
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    const CUresult result =
        cuGetProcAddress(symbol, function, static_cast<int>(version), flags, &found);
    if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
    return result;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}
