// SPDX-License-Identifier: Apache-2.0
//
// Launches as they were before CUDA 4: the shape, the shared memory and the parameters are set on
// the function one after the other, and a launch takes them from there.
#include <algorithm>
#include <cstring>
#include <mutex>

#include "fakedriver/core/function.h"
#include "fakedriver/handlers/function_attributes.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/kernel_launch.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

// CUDA driver API, cuParamSetSize: what a parameter buffer can hold at most.
constexpr uint64_t kMostParameterBytes = 4096;

// Calls `change` with the function's launch state, which it may change.
template <typename Change>
CUresult WithState(CUfunction handle, Change change) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Function> function;
  if (CUresult result = Need<Function>(handle, "hfunc", &function); result != CUDA_SUCCESS) {
    return result;
  }
  std::lock_guard lock(function->legacy.mutex);
  return change(*function, function->legacy);
}

exec::LaunchConfig Shape(int x, int y, int z, uint32_t shared_bytes) {
  exec::LaunchConfig config;
  config.grid = {1, 1, 1};
  config.block = {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
  config.dynamic_shared_bytes = shared_bytes;
  return config;
}

CUresult SetParameter(CUfunction handle, int offset, const void* bytes, uint64_t size) {
  return WithState(handle, [&](const Function&, LegacyLaunchState& state) {
    if (offset < 0 || bytes == nullptr ||
        static_cast<uint64_t>(offset) + size > kMostParameterBytes) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    const uint64_t end = static_cast<uint64_t>(offset) + size;
    if (state.parameters.size() < end) state.parameters.resize(end);
    std::memcpy(state.parameters.data() + offset, bytes, size);
    return CUDA_SUCCESS;
  });
}

CUresult Launch(CUfunction handle, int width, int height, CUstream stream) {
  if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
  unsigned block[3] = {};
  unsigned shared = 0;
  std::vector<std::byte> parameters;
  const CUresult found = WithState(handle, [&](const Function& function, LegacyLaunchState& state) {
    const uint32_t wanted = OnDevice(function).info.parameter_bytes;
    // As measured: a buffer larger than what the kernel takes.
    if (state.parameter_bytes > wanted) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    block[0] = state.block_x;
    block[1] = state.block_y;
    block[2] = state.block_z;
    shared = state.shared_bytes;
    parameters = state.parameters;
    // As recorded, what is past the size that was set is zero, whatever was put there.
    parameters.resize(std::min<size_t>(parameters.size(), state.parameter_bytes));
    parameters.resize(wanted);
    return CUDA_SUCCESS;
  });
  if (found != CUDA_SUCCESS) return found;
  size_t size = parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &size, CU_LAUNCH_PARAM_END};
  return handlers::cuLaunchKernel(handle, static_cast<unsigned>(width),
                                  static_cast<unsigned>(height), 1, block[0], block[1], block[2],
                                  shared, stream, nullptr, size > 0 ? extra : nullptr);
}

}  // namespace

CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z) {
  return WithState(hfunc, [&](const Function& function, LegacyLaunchState& state) {
    if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = CheckConfig(function, Shape(x, y, z, 0)); result != CUDA_SUCCESS) {
      return result;
    }
    state.block_x = static_cast<uint32_t>(x);
    state.block_y = static_cast<uint32_t>(y);
    state.block_z = static_cast<uint32_t>(z);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes) {
  return WithState(hfunc, [&](const Function& function, LegacyLaunchState& state) {
    if (CUresult result = CheckConfig(function, Shape(1, 1, 1, bytes)); result != CUDA_SUCCESS) {
      return result;
    }
    state.shared_bytes = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes) {
  return WithState(hfunc, [&](const Function&, LegacyLaunchState& state) {
    if (numbytes > kMostParameterBytes) return CUDA_ERROR_INVALID_VALUE;
    state.parameter_bytes = numbytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value) {
  return SetParameter(hfunc, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction hfunc, int offset, float value) {
  return SetParameter(hfunc, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes) {
  return SetParameter(hfunc, offset, ptr, numbytes);
}

CUresult cuLaunch(CUfunction f) { return Launch(f, 1, 1, nullptr); }
CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height) {
  return Launch(f, grid_width, grid_height, nullptr);
}
CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream) {
  return Launch(f, grid_width, grid_height, hStream);
}

}  // namespace culprit::fakedriver::handlers
