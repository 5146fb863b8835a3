// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/driver.h"

#include <dlfcn.h>

#include <cstring>
#include <string>

namespace culprit::exec::vectors {

// Exact symbols, since cuda.h maps some names to versioned ones and cuCtxCreate changed its
// parameters.
struct Driver::Entries {
  CUresult (*Init)(unsigned);
  CUresult (*DriverGetVersion)(int*);
  CUresult (*DeviceGet)(CUdevice*, int);
  CUresult (*DeviceGetName)(char*, int, CUdevice);
  CUresult (*CtxCreate_v2)(CUcontext*, unsigned, CUdevice);
  CUresult (*CtxDestroy_v2)(CUcontext);
  CUresult (*CtxSynchronize)();
  CUresult (*ModuleLoadDataEx)(CUmodule*, const void*, unsigned, CUjit_option*, void**);
  CUresult (*ModuleGetFunction)(CUfunction*, CUmodule, const char*);
  CUresult (*ModuleUnload)(CUmodule);
  CUresult (*MemAlloc_v2)(CUdeviceptr*, size_t);
  CUresult (*MemFree_v2)(CUdeviceptr);
  CUresult (*MemcpyHtoD_v2)(CUdeviceptr, const void*, size_t);
  CUresult (*MemcpyDtoH_v2)(void*, CUdeviceptr, size_t);
  CUresult (*MemsetD8_v2)(CUdeviceptr, unsigned char, size_t);
  CUresult (*LaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, CUstream, void**, void**);
};

std::unique_ptr<Driver> Driver::Open(const std::string& library, std::string* error) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    *error = dlerror();
    return nullptr;
  }
  std::unique_ptr<Driver> driver(new Driver);
  driver->cuda_ = std::make_unique<Entries>();
  bool all = true;
  auto bind = [&](auto& entry, const char* symbol) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(handle, symbol));
    if (entry == nullptr) *error = std::string(symbol) + " is missing";
    all = all && entry != nullptr;
  };
  Entries& cuda = *driver->cuda_;
  bind(cuda.Init, "cuInit");
  bind(cuda.DriverGetVersion, "cuDriverGetVersion");
  bind(cuda.DeviceGet, "cuDeviceGet");
  bind(cuda.DeviceGetName, "cuDeviceGetName");
  bind(cuda.CtxCreate_v2, "cuCtxCreate_v2");
  bind(cuda.CtxDestroy_v2, "cuCtxDestroy_v2");
  bind(cuda.CtxSynchronize, "cuCtxSynchronize");
  bind(cuda.ModuleLoadDataEx, "cuModuleLoadDataEx");
  bind(cuda.ModuleGetFunction, "cuModuleGetFunction");
  bind(cuda.ModuleUnload, "cuModuleUnload");
  bind(cuda.MemAlloc_v2, "cuMemAlloc_v2");
  bind(cuda.MemFree_v2, "cuMemFree_v2");
  bind(cuda.MemcpyHtoD_v2, "cuMemcpyHtoD_v2");
  bind(cuda.MemcpyDtoH_v2, "cuMemcpyDtoH_v2");
  bind(cuda.MemsetD8_v2, "cuMemsetD8_v2");
  bind(cuda.LaunchKernel, "cuLaunchKernel");
  if (!all) return nullptr;
  CUresult result = cuda.Init(0);
  if (result == CUDA_SUCCESS) result = cuda.DeviceGet(&driver->device_, 0);
  if (result != CUDA_SUCCESS) {
    *error = "no device: CUresult " + std::to_string(result);
    return nullptr;
  }
  if (!driver->Renew(error)) return nullptr;
  return driver;
}

Driver::~Driver() {
  if (context_ != nullptr) cuda_->CtxDestroy_v2(context_);
}

bool Driver::Renew(std::string* error) {
  if (context_ != nullptr) cuda_->CtxDestroy_v2(context_);
  context_ = nullptr;
  const CUresult result = cuda_->CtxCreate_v2(&context_, 0, device_);
  if (result == CUDA_SUCCESS) return true;
  if (error != nullptr) *error = "cuCtxCreate: CUresult " + std::to_string(result);
  return false;
}

std::string Driver::device_name() const {
  char name[256] = "";
  cuda_->DeviceGetName(name, sizeof name, device_);
  return name;
}

int Driver::version() const {
  int version = 0;
  cuda_->DriverGetVersion(&version);
  return version;
}

Run Driver::Execute(const Kernel& kernel) {
  Run run;
  run.result = Attempt(kernel, run);
  // Buffers and modules of a failed run go with its context; a refused module has none.
  if (run.result != CUDA_SUCCESS && run.stage != "load") Renew(nullptr);
  return run;
}

CUresult Driver::Attempt(const Kernel& kernel, Run& run) {
  auto failed = [&](CUresult result, const char* stage) {
    if (result != CUDA_SUCCESS) run.stage = stage;
    return result != CUDA_SUCCESS;
  };
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module = nullptr;
  CUresult result = cuda_->ModuleLoadDataEx(&module, kernel.text.c_str(), 2, options, values);
  if (failed(result, "load")) {
    run.log = log;
    return result;
  }
  CUfunction function = nullptr;
  if (failed(result = cuda_->ModuleGetFunction(&function, module, kernel.entry.c_str()),
             "function"))
    return result;
  std::vector<CUdeviceptr> buffers;
  auto buffer = [&](size_t bytes) {
    CUdeviceptr address = 0;
    if (failed(result = cuda_->MemAlloc_v2(&address, bytes), "allocate")) return false;
    buffers.push_back(address);
    return !failed(result = cuda_->MemsetD8_v2(address, 0, bytes), "clear");
  };
  if (!buffer(kernel.output_words * 8)) return result;
  for (const std::vector<uint64_t>& input : kernel.inputs) {
    if (!buffer(input.size() * 8)) return result;
    result = cuda_->MemcpyHtoD_v2(buffers.back(), input.data(), input.size() * 8);
    if (failed(result, "upload")) return result;
  }
  if (kernel.scratch_bytes != 0 && !buffer(kernel.scratch_bytes)) return result;
  std::vector<void*> arguments;
  for (CUdeviceptr& address : buffers) arguments.push_back(&address);
  result = cuda_->LaunchKernel(function, kernel.blocks, 1, 1, kernel.threads, 1, 1, 0, nullptr,
                               arguments.data(), nullptr);
  if (failed(result, "launch")) return result;
  if (failed(result = cuda_->CtxSynchronize(), "run")) return result;
  run.output.resize(kernel.output_words);
  result = cuda_->MemcpyDtoH_v2(run.output.data(), buffers[0], kernel.output_words * 8);
  if (failed(result, "download")) return result;
  for (CUdeviceptr address : buffers) cuda_->MemFree_v2(address);
  cuda_->ModuleUnload(module);
  return CUDA_SUCCESS;
}

}  // namespace culprit::exec::vectors
