// SPDX-License-Identifier: Apache-2.0
//
// What the host code that nvcc writes registers before main(): fat binaries, and the host functions
// and variables that stand for kernels and device variables. Device code is loaded when it is first
// needed, as a library of the driver, which belongs to no context.
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/runtime.h"

namespace culprit::runtime {
namespace {

// nvcc's wrapper of a fat binary. Version 2 stands for relocatable code: `parts` are then the fat
// binaries of its objects, null-terminated, for a driver that has to link them itself.
struct Wrapper {
  uint32_t magic;
  uint32_t version;
  const void* image;
  const void* const* parts;
};
constexpr uint32_t kLinkedVersion = 2;

struct FatBinary {
  const Wrapper* wrapper = nullptr;
  CUlibrary library = nullptr;  // once loaded
};

struct Kernel {
  FatBinary* binary;
  std::string name;
  CUkernel kernel = nullptr;
};

struct Variable {
  FatBinary* binary;
  std::string name;
  void** managed = nullptr;  // the host pointer to a managed variable
};

struct Registry {
  std::mutex mutex;
  std::unordered_map<const void*, Kernel> kernels;
  std::unordered_map<const void*, Variable> variables;
};

// Left in place at exit, when binaries are still being unregistered.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

size_t ImageBytes(const void* image) {
  struct Header {
    uint32_t magic;
    uint16_t version;
    uint16_t header_bytes;
    uint64_t entry_bytes;
  } header;
  std::memcpy(&header, image, sizeof header);
  return header.header_bytes + header.entry_bytes;
}

// Links the parts of relocatable code for the current context's device.
CUresult LoadParts(const void* const* parts, CUlibrary* library) {
  CUlinkState link = nullptr;
  CUresult result = cuLinkCreate(0, nullptr, nullptr, &link);
  if (result != CUDA_SUCCESS) return result;
  for (; result == CUDA_SUCCESS && *parts != nullptr; ++parts) {
    result = cuLinkAddData(link, CU_JIT_INPUT_FATBINARY, const_cast<void*>(*parts),
                           ImageBytes(*parts), "part", 0, nullptr, nullptr);
  }
  void* image = nullptr;
  size_t bytes = 0;
  if (result == CUDA_SUCCESS) result = cuLinkComplete(link, &image, &bytes);
  if (result == CUDA_SUCCESS) {
    result = cuLibraryLoadData(library, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
  }
  const CUresult destroyed = cuLinkDestroy(link);
  if (result != CUDA_SUCCESS || destroyed == CUDA_SUCCESS) return result;
  cuLibraryUnload(*library);  // the failure is answered, and the next try loads again
  return destroyed;
}

CUresult Load(FatBinary* binary) {
  if (binary->library != nullptr) return CUDA_SUCCESS;
  const Wrapper& wrapper = *binary->wrapper;
  CUlibrary library = nullptr;
  CUresult result = cuLibraryLoadData(&library, &wrapper, nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (result == CUDA_SUCCESS && wrapper.version == kLinkedVersion && wrapper.parts != nullptr) {
    CUmodule module = nullptr;  // of the linked code, if the device takes it
    result = cuLibraryGetModule(&module, library);
    if (result != CUDA_SUCCESS) {
      const CUresult unloaded = cuLibraryUnload(library);
      if (result == CUDA_ERROR_NO_BINARY_FOR_GPU) {
        result = unloaded == CUDA_SUCCESS ? LoadParts(wrapper.parts, &library) : unloaded;
      }
    }
  }
  if (result == CUDA_SUCCESS) binary->library = library;
  return result;
}

}  // namespace

cudaError_t FindKernel(const void* function, CUkernel* kernel) {
  if (const cudaError_t error = StartContext(); error != cudaSuccess) return error;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.kernels.find(function);
  if (found == registry.kernels.end()) {
    for (const auto& [host, known] : registry.kernels) {
      if (known.kernel == nullptr || static_cast<const void*>(known.kernel) != function) continue;
      *kernel = known.kernel;
      return cudaSuccess;
    }
    return cudaErrorInvalidDeviceFunction;
  }
  Kernel& known = found->second;
  if (known.kernel == nullptr) {
    CUresult result = Load(known.binary);
    if (result == CUDA_SUCCESS) {
      result = cuLibraryGetKernel(&known.kernel, known.binary->library, known.name.c_str());
    }
    if (result != CUDA_SUCCESS) return static_cast<cudaError_t>(result);
  }
  *kernel = known.kernel;
  return cudaSuccess;
}

cudaError_t FindFunction(const void* function, CUfunction* found) {
  CUkernel kernel = nullptr;
  if (const cudaError_t error = FindKernel(function, &kernel); error != cudaSuccess) return error;
  return static_cast<cudaError_t>(cuKernelGetFunction(found, kernel));
}

cudaError_t FindVariable(const void* symbol, CUdeviceptr* address, size_t* bytes) {
  if (const cudaError_t error = StartContext(); error != cudaSuccess) return error;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.variables.find(symbol);
  if (found == registry.variables.end()) return cudaErrorInvalidSymbol;
  const Variable& variable = found->second;
  CUresult result = Load(variable.binary);
  if (result == CUDA_SUCCESS) {
    result = cuLibraryGetGlobal(address, bytes, variable.binary->library, variable.name.c_str());
  }
  return static_cast<cudaError_t>(result);
}

namespace {

FatBinary* BinaryOf(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

template <typename Map>
void EraseOf(const FatBinary* binary, Map* map) {
  for (auto entry = map->begin(); entry != map->end();) {
    entry = entry->second.binary == binary ? map->erase(entry) : std::next(entry);
  }
}

// What is still retained when the process ends is given back; its own objects have been destroyed
// by then.
[[gnu::destructor]] void GiveBack() { ReleaseDevices(); }

}  // namespace
}  // namespace culprit::runtime

using namespace culprit::runtime;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  auto* binary = new FatBinary;
  binary->wrapper = static_cast<const Wrapper*>(wrapper);
  return reinterpret_cast<void**>(binary);
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  FatBinary* binary = BinaryOf(handle);
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  EraseOf(binary, &registry.kernels);
  EraseOf(binary, &registry.variables);
  if (binary->library != nullptr) cuLibraryUnload(binary->library);
  delete binary;
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.kernels[host] = {BinaryOf(handle), name};
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t, int, int) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.variables[host] = {BinaryOf(handle), name};
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t, int,
                              int) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.variables[host] = {BinaryOf(handle), name, host};
}

// Called before host code touches a managed variable: the host pointers to those of this binary
// become valid. Answers whether they are.
char __cudaInitModule(void** handle) {
  if (Keep(StartContext()) != cudaSuccess) return 0;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  FatBinary* binary = BinaryOf(handle);
  if (Keep(Load(binary)) != cudaSuccess) return 0;
  for (const auto& [host, variable] : registry.variables) {
    if (variable.binary != binary || variable.managed == nullptr) continue;
    CUdeviceptr address = 0;
    size_t bytes = 0;
    const CUresult result =
        cuLibraryGetManaged(&address, &bytes, binary->library, variable.name.c_str());
    if (Keep(result) != cudaSuccess) return 0;
    *variable.managed = reinterpret_cast<void*>(address);
  }
  return 1;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return Keep(FindKernel(function, kernel));
}

}  // extern "C"

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  if (kernel == nullptr) return Keep(cudaErrorInvalidValue);
  return Keep(FindKernel(function, kernel));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  if (function == nullptr) return Keep(cudaErrorInvalidValue);
  return Keep(FindFunction(symbol, function));
}
