// SPDX-License-Identifier: Apache-2.0
//
// Libraries and kernels: code that belongs to no context. Loading needs none, as measured; what
// depends on a context (functions, variables) is made for the current one on first use.
#include "fakedriver/core/library.h"

#include <algorithm>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/exec/program.h"
#include "fakedriver/handlers/function_attributes.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/library_object.h"
#include "fakedriver/handlers/module_loading.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult Load(CUlibrary* library, const void* code, unsigned count, CUjit_option* options,
              void** values) {
  if (library == nullptr || code == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitOptions jit;
  if (CUresult result = jit.Read(count, options, values); result != CUDA_SUCCESS) return result;
  Device* device = Driver::Get().device(0);
  if (device == nullptr) return CUDA_ERROR_NO_DEVICE;
  std::shared_ptr<const LoadedProgram> program;
  const CUresult broken = LoadProgram(code, *device, jit, &program);
  auto made = Make<Library>(std::move(program), broken);
  *library = reinterpret_cast<CUlibrary>(Register(made));
  return CUDA_SUCCESS;
}

CUresult FindInCurrent(CUlibrary handle, const char* name, Ref<Allocation>* variable) {
  Ref<Library> library;
  if (CUresult result = Need<Library>(handle, "library", &library); result != CUDA_SUCCESS) {
    return result;
  }
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Module> module;
  if (CUresult result = ModuleIn(*library, *context, &module); result != CUDA_SUCCESS) {
    return result;
  }
  return FindVariable(*module, name, variable);
}

CUresult Answer(const Allocation& variable, CUdeviceptr* dptr, size_t* bytes) {
  if (dptr != nullptr) *dptr = variable.base();
  if (bytes != nullptr) *bytes = variable.size();
  return CUDA_SUCCESS;
}

// As measured, none in a library of what is no code.
unsigned KernelsIn(const Library& library) {
  if (library.broken() != CUDA_SUCCESS) return 0;
  return static_cast<unsigned>(library.program().kernels().size());
}

struct KernelArgument {
  Ref<Kernel> kernel;
  Device* device = nullptr;

  KernelOnDevice on_device() const {
    const exec::Program& program = kernel->library().program();
    return {program, program.kernels()[kernel->index()], *device,
            kernel->library().loaded()->register_limit};
  }
};

CUresult NeedKernel(CUkernel handle, CUdevice device, KernelArgument* argument) {
  if (CUresult result = Need<Kernel>(handle, "kernel", &argument->kernel); result != CUDA_SUCCESS) {
    return result;
  }
  argument->device = Driver::Get().device(device);
  return argument->device != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions,
                           void** jitOptionsValues, unsigned int numJitOptions,
                           CUlibraryOption* libraryOptions, void** libraryOptionValues,
                           unsigned int numLibraryOptions) {
  if (numLibraryOptions > 0 && (libraryOptions == nullptr || libraryOptionValues == nullptr)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return Load(library, code, numJitOptions, jitOptions, jitOptionsValues);
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions,
                               void** jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption* libraryOptions, void** libraryOptionValues,
                               unsigned int numLibraryOptions) {
  if (numLibraryOptions > 0 && (libraryOptions == nullptr || libraryOptionValues == nullptr)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::vector<std::byte> code;
  if (CUresult result = ReadImageFile(fileName, &code); result != CUDA_SUCCESS) return result;
  return Load(library, code.data(), numJitOptions, jitOptions, jitOptionsValues);
}

CUresult cuLibraryUnload(CUlibrary handle) {
  Ref<Library> library;
  if (CUresult result = NeedForDestroy<Library>(handle, "library", &library);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (!library) return CUDA_SUCCESS;
  for (const Ref<Context>& context : Driver::Get().contexts()) {
    if (context->alive() && library->FindModule(*context)) context->Synchronize();
  }
  if (CUresult error = Driver::Get().sticky_error(); error != CUDA_SUCCESS) return error;
  if (!Unregister(library)) return CUDA_ERROR_INVALID_HANDLE;
  library->TearDown();
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary handle, const char* name) {
  Ref<Library> library;
  if (CUresult result = Need<Library>(handle, "library", &library); result != CUDA_SUCCESS) {
    return result;
  }
  if (pKernel == nullptr || name == nullptr || *name == '\0') return CUDA_ERROR_INVALID_VALUE;
  if (library->broken() != CUDA_SUCCESS) return library->broken();
  const std::optional<uint32_t> index = library->program().FindKernel(name);
  if (!index) return CUDA_ERROR_NOT_FOUND;
  *pKernel = reinterpret_cast<CUkernel>(library->KernelOf(*index)->handle());
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
  Ref<Library> library;
  if (CUresult result = Need<Library>(lib, "lib", &library); result != CUDA_SUCCESS) return result;
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = KernelsIn(*library);
  return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib) {
  Ref<Library> library;
  if (CUresult result = Need<Library>(lib, "lib", &library); result != CUDA_SUCCESS) return result;
  if (kernels == nullptr || numKernels == 0) return CUDA_ERROR_INVALID_VALUE;
  const unsigned known = KernelsIn(*library);
  for (unsigned i = 0; i < std::min(numKernels, known); ++i) {
    kernels[i] = reinterpret_cast<CUkernel>(library->KernelOf(i)->handle());
  }
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary handle) {
  Ref<Library> library;
  if (CUresult result = Need<Library>(handle, "library", &library); result != CUDA_SUCCESS) {
    return result;
  }
  if (pMod == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Module> module;
  if (CUresult result = ModuleIn(*library, *context, &module); result != CUDA_SUCCESS) {
    return result;
  }
  *pMod = reinterpret_cast<CUmodule>(module->handle());
  return CUDA_SUCCESS;
}

CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel handle) {
  Ref<Kernel> kernel;
  if (CUresult result = Need<Kernel>(handle, "kernel", &kernel); result != CUDA_SUCCESS) {
    return result;
  }
  if (pFunc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Function> function;
  if (CUresult result = FunctionIn(*kernel, *context, &function); result != CUDA_SUCCESS) {
    return result;
  }
  *pFunc = reinterpret_cast<CUfunction>(function->handle());
  return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel handle) {
  Ref<Kernel> kernel;
  if (CUresult result = Need<Kernel>(handle, "kernel", &kernel); result != CUDA_SUCCESS) {
    return result;
  }
  if (pLib == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pLib = reinterpret_cast<CUlibrary>(kernel->library().handle());
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name) {
  Ref<Allocation> variable;
  if (CUresult result = FindInCurrent(library, name, &variable); result != CUDA_SUCCESS) {
    return result;
  }
  return Answer(*variable, dptr, bytes);
}

CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library,
                             const char* name) {
  Ref<Allocation> variable;
  if (CUresult result = FindInCurrent(library, name, &variable); result != CUDA_SUCCESS) {
    return result;
  }
  if (variable->memory() != MemoryKind::kManaged) return CUDA_ERROR_NOT_FOUND;
  return Answer(*variable, dptr, bytes);
}

CUresult cuLibraryGetUnifiedFunction(void** fptr, CUlibrary handle, const char* symbol) {
  Ref<Library> library;
  if (CUresult result = Need<Library>(handle, "library", &library); result != CUDA_SUCCESS) {
    return result;
  }
  // No device of the fake runs host code: there are no unified functions.
  return fptr == nullptr || symbol == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
}

CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev) {
  KernelArgument argument;
  if (CUresult result = NeedKernel(kernel, dev, &argument); result != CUDA_SUCCESS) return result;
  if (pi == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return GetAttribute(argument.on_device(), argument.kernel->settings, attrib, pi);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
  KernelArgument argument;
  if (CUresult result = NeedKernel(kernel, dev, &argument); result != CUDA_SUCCESS) return result;
  return SetAttribute(argument.on_device(), argument.kernel->settings, attrib, val);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
  KernelArgument argument;
  if (CUresult result = NeedKernel(kernel, dev, &argument); result != CUDA_SUCCESS) return result;
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  argument.kernel->settings.cache_config.store(config, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char** name, CUkernel hfunc) {
  Ref<Kernel> kernel;
  if (CUresult result = Need<Kernel>(hfunc, "hfunc", &kernel); result != CUDA_SUCCESS) {
    return result;
  }
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = kernel->library().program().kernels()[kernel->index()].name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel handle, size_t paramIndex, size_t* paramOffset,
                              size_t* paramSize) {
  Ref<Kernel> kernel;
  if (CUresult result = Need<Kernel>(handle, "kernel", &kernel); result != CUDA_SUCCESS) {
    return result;
  }
  const std::vector<exec::Parameter>& parameters =
      kernel->library().program().kernels()[kernel->index()].parameters;
  if (paramOffset == nullptr || paramIndex >= parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *paramOffset = parameters[paramIndex].offset;
  if (paramSize != nullptr) *paramSize = parameters[paramIndex].size;
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
