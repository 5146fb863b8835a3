// SPDX-License-Identifier: Apache-2.0
#include "stress/driver/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <climits>
#include <cstdlib>

// Two steps, so that cuMemAlloc becomes cuMemAlloc_v2 before it becomes a string.
#define STRESS_SYMBOL_NAME(symbol) #symbol
#define STRESS_SYMBOL(name) STRESS_SYMBOL_NAME(name)

namespace culprit::stress {
namespace {

std::string FileOf(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  char resolved[PATH_MAX];
  return realpath(map->l_name, resolved) != nullptr ? resolved : map->l_name;
}

}  // namespace

std::unique_ptr<Driver> Driver::Load(const std::string& path, std::string* error) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    *error = fmt::format("{} cannot be loaded: {}", path, reason != nullptr ? reason : "no reason");
    return nullptr;
  }
  std::unique_ptr<Driver> driver(new Driver);
  driver->faults_ = std::make_unique<FaultSwitch>();
  FaultSwitch* faults = driver->faults_.get();
#define STRESS_API(name) \
  driver->name.Bind(STRESS_SYMBOL(name), dlsym(library, STRESS_SYMBOL(name)), faults);
#include "stress/driver/driver.def"
#undef STRESS_API
  driver->create_context_.Bind("cuCtxCreate_v2", dlsym(library, "cuCtxCreate_v2"), faults);
  if (!driver->cuInit) {
    *error = fmt::format("{} exports no cuInit: not a CUDA driver", path);
    return nullptr;
  }
  driver->file_ = FileOf(library);
  if (void* control = dlsym(library, CULPRIT_CONTROL_SYMBOL)) {
    driver->control_ = reinterpret_cast<culprit_control_fn>(control)();
  }
  return driver;
}

std::optional<int64_t> Driver::LiveObjects() const {
  if (control_ == nullptr) return std::nullopt;
  culprit_live live{};
  live.size = sizeof live;
  control_->live(&live);
  return int64_t{live.contexts} + live.primary_retains + live.streams + live.events +
         live.modules + live.libraries + live.allocations + live.host_blocks + live.pools +
         live.graphs + live.graph_execs + live.user_objects + live.mappings + live.others;
}

Outcome Driver::CreateContext(CUcontext* context, unsigned flags, CUdevice device) const {
  return create_context_(context, flags, device);
}

std::string ResultName(CUresult result) {
  switch (result) {
#define STRESS_RESULT(code) \
  case code:                \
    return fmt::format("{} ({})", #code, static_cast<int>(code));
    STRESS_RESULT(CUDA_SUCCESS)
    STRESS_RESULT(CUDA_ERROR_INVALID_VALUE)
    STRESS_RESULT(CUDA_ERROR_OUT_OF_MEMORY)
    STRESS_RESULT(CUDA_ERROR_NOT_INITIALIZED)
    STRESS_RESULT(CUDA_ERROR_DEINITIALIZED)
    STRESS_RESULT(CUDA_ERROR_STUB_LIBRARY)
    STRESS_RESULT(CUDA_ERROR_DEVICE_UNAVAILABLE)
    STRESS_RESULT(CUDA_ERROR_NO_DEVICE)
    STRESS_RESULT(CUDA_ERROR_INVALID_DEVICE)
    STRESS_RESULT(CUDA_ERROR_INVALID_IMAGE)
    STRESS_RESULT(CUDA_ERROR_INVALID_CONTEXT)
    STRESS_RESULT(CUDA_ERROR_NO_BINARY_FOR_GPU)
    STRESS_RESULT(CUDA_ERROR_UNSUPPORTED_LIMIT)
    STRESS_RESULT(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
    STRESS_RESULT(CUDA_ERROR_INVALID_PTX)
    STRESS_RESULT(CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    STRESS_RESULT(CUDA_ERROR_OPERATING_SYSTEM)
    STRESS_RESULT(CUDA_ERROR_INVALID_HANDLE)
    STRESS_RESULT(CUDA_ERROR_ILLEGAL_STATE)
    STRESS_RESULT(CUDA_ERROR_NOT_FOUND)
    STRESS_RESULT(CUDA_ERROR_NOT_READY)
    STRESS_RESULT(CUDA_ERROR_ILLEGAL_ADDRESS)
    STRESS_RESULT(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
    STRESS_RESULT(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
    STRESS_RESULT(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE)
    STRESS_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED)
    STRESS_RESULT(CUDA_ERROR_LAUNCH_FAILED)
    STRESS_RESULT(CUDA_ERROR_NOT_PERMITTED)
    STRESS_RESULT(CUDA_ERROR_NOT_SUPPORTED)
    STRESS_RESULT(CUDA_ERROR_SYSTEM_NOT_READY)
    STRESS_RESULT(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
    STRESS_RESULT(CUDA_ERROR_UNKNOWN)
#undef STRESS_RESULT
    default:
      return fmt::format("CUresult {}", static_cast<int>(result));
  }
}

}  // namespace culprit::stress
