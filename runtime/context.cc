// SPDX-License-Identifier: Apache-2.0
//
// The runtime's view of devices and contexts: one primary context a device, kept from the first
// call that needs it until the last fat binary of the process is given back.
#include <array>
#include <mutex>

#include "runtime/runtime.h"

namespace culprit::runtime {
namespace {

constexpr int kMostDevices = 64;

// Left in place at exit: host code calls the runtime from destructors.
struct Contexts {
  std::mutex mutex;
  std::array<CUcontext, kMostDevices> of_device{};
};

Contexts& AllContexts() {
  static auto* contexts = new Contexts;
  return *contexts;
}

thread_local int chosen_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

cudaError_t PrimaryContext(int device, CUcontext* context) {
  if (device < 0 || device >= kMostDevices) return cudaErrorInvalidDevice;
  Contexts& contexts = AllContexts();
  const std::lock_guard lock(contexts.mutex);
  CUcontext& kept = contexts.of_device[device];
  if (kept == nullptr) {
    const CUresult result = cuDevicePrimaryCtxRetain(&kept, device);
    if (result != CUDA_SUCCESS) {
      kept = nullptr;
      return static_cast<cudaError_t>(result);
    }
  }
  *context = kept;
  return cudaSuccess;
}

}  // namespace

int CurrentDevice() { return chosen_device; }

cudaError_t StartDriver() {
  static const CUresult started = cuInit(0);
  return static_cast<cudaError_t>(started);
}

cudaError_t StartContext() {
  if (const cudaError_t error = StartDriver(); error != cudaSuccess) return error;
  CUcontext current = nullptr;
  if (const CUresult result = cuCtxGetCurrent(&current); result != CUDA_SUCCESS) {
    return static_cast<cudaError_t>(result);
  }
  return current != nullptr ? cudaSuccess : UseDevice(chosen_device);
}

cudaError_t UseDevice(int device) {
  CUcontext context = nullptr;
  if (const cudaError_t error = PrimaryContext(device, &context); error != cudaSuccess) {
    return error;
  }
  const CUresult result = cuCtxSetCurrent(context);
  if (result == CUDA_SUCCESS) chosen_device = device;
  return static_cast<cudaError_t>(result);
}

cudaError_t InitialiseDevice(int device) {
  CUcontext context = nullptr;
  return PrimaryContext(device, &context);
}

cudaError_t ReleaseDevice(int device) {
  Contexts& contexts = AllContexts();
  const std::lock_guard lock(contexts.mutex);
  CUcontext& kept = contexts.of_device[device];
  if (kept == nullptr) return cudaSuccess;
  CUcontext current = nullptr;
  CUresult result = cuCtxGetCurrent(&current);
  if (result == CUDA_SUCCESS && current == kept) result = cuCtxSetCurrent(nullptr);
  const CUresult released = cuDevicePrimaryCtxRelease(device);
  if (released == CUDA_SUCCESS) kept = nullptr;
  return static_cast<cudaError_t>(released != CUDA_SUCCESS ? released : result);
}

void ReleaseDevices() {
  for (int device = 0; device < kMostDevices; ++device) ReleaseDevice(device);
}

cudaError_t Keep(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

// For unsupported.cc, which knows none of the runtime's types.
int KeepNotSupported();
int KeepNotSupported() { return Keep(cudaErrorNotSupported); }

}  // namespace culprit::runtime

using namespace culprit::runtime;

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define CULPRIT_ERROR(name) \
  case name:                \
    return #name;
#include "runtime/errors.def"
#undef CULPRIT_ERROR
    default:
      return "unrecognized error code";
  }
}

const char* cudaGetErrorString(cudaError_t error) {
  const char* text = nullptr;
  if (cuGetErrorString(static_cast<CUresult>(error), &text) == CUDA_SUCCESS && text != nullptr) {
    return text;
  }
  switch (error) {  // of the runtime's own errors
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidSymbol:
      return "invalid device symbol";
    case cudaErrorInvalidMemcpyDirection:
      return "invalid copy direction for memcpy";
    case cudaErrorMissingConfiguration:
      return "__global__ function call is not configured";
    case cudaErrorInvalidDeviceFunction:
      return "invalid device function";
    default:
      return cudaGetErrorName(error);
  }
}
