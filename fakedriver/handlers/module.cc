// SPDX-License-Identifier: Apache-2.0
//
// Modules. Loading needs a context; on driver 580 everything else finds the module's own, whatever
// is current.
#include "fakedriver/core/module.h"

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/describe.h"
#include "fakedriver/exec/program.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/module_loading.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult Load(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
              void** values) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  JitOptions jit;
  if (CUresult result = jit.Read(count, options, values); result != CUDA_SUCCESS) return result;
  std::shared_ptr<const LoadedProgram> program;
  if (CUresult result = LoadProgram(image, context->device(), jit, &program);
      result != CUDA_SUCCESS) {
    return result;
  }
  Ref<Module> made;
  if (CUresult result = MakeModule(*context, std::move(program), ModuleOwner::kProgram, &made);
      result != CUDA_SUCCESS) {
    return result;
  }
  *module = reinterpret_cast<CUmodule>(made->handle());
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuModuleLoad(CUmodule* module, const char* fname) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  std::vector<std::byte> image;
  if (CUresult result = ReadImageFile(fname, &image); result != CUDA_SUCCESS) return result;
  return Load(module, image.data(), 0, nullptr, nullptr);
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return Load(module, image, 0, nullptr, nullptr);
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions,
                            CUjit_option* options, void** optionValues) {
  return Load(module, image, numOptions, options, optionValues);
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) {
  return Load(module, fatCubin, 0, nullptr, nullptr);
}

CUresult cuModuleUnload(CUmodule hmod) {
  Ref<Module> module;
  if (CUresult result = NeedForDestroy<Module>(hmod, "hmod", &module); result != CUDA_SUCCESS) {
    return result;
  }
  if (!module) return CUDA_SUCCESS;
  if (module->of_library()) return CUDA_ERROR_NOT_PERMITTED;
  if (CUresult result = AllowTeardown(*module, "hmod"); result != CUDA_SUCCESS) return result;
  if (module->pending.load(std::memory_order_acquire) != 0) {
    audit::Raise(audit::Rule::kMemoryFreedBusy,
                 {.message = "A module was unloaded while launches of its kernels are queued",
                  .argument = "hmod",
                  .object = Describe(module->record()),
                  .handle = module->handle()});
  }
  module->context()->Synchronize();
  if (CUresult error = Driver::Get().sticky_error(); error != CUDA_SUCCESS) return error;
  if (!Unregister(module)) return CUDA_ERROR_INVALID_HANDLE;
  module->TearDown();
  return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
  Ref<Module> module;
  if (CUresult result = Need<Module>(hmod, "hmod", &module); result != CUDA_SUCCESS) return result;
  if (hfunc == nullptr || name == nullptr || *name == '\0') return CUDA_ERROR_INVALID_VALUE;
  const std::optional<uint32_t> kernel = module->program().FindKernel(name);
  if (!kernel) {
    *hfunc = nullptr;  // as recorded; other errors leave it alone
    return CUDA_ERROR_NOT_FOUND;
  }
  *hfunc = reinterpret_cast<CUfunction>(module->FunctionOf(*kernel)->handle());
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
  Ref<Module> module;
  if (CUresult result = Need<Module>(mod, "mod", &module); result != CUDA_SUCCESS) return result;
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = static_cast<unsigned>(module->program().kernels().size());
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions,
                                    CUmodule mod) {
  Ref<Module> module;
  if (CUresult result = Need<Module>(mod, "mod", &module); result != CUDA_SUCCESS) return result;
  if (functions == nullptr || numFunctions == 0) return CUDA_ERROR_INVALID_VALUE;
  const auto known = static_cast<unsigned>(module->program().kernels().size());
  for (unsigned i = 0; i < std::min(numFunctions, known); ++i) {
    functions[i] = reinterpret_cast<CUfunction>(module->FunctionOf(i)->handle());
  }
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name) {
  Ref<Module> module;
  if (CUresult result = Need<Module>(hmod, "hmod", &module); result != CUDA_SUCCESS) return result;
  if (name == nullptr || (dptr == nullptr && bytes == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  Ref<Allocation> variable;
  if (CUresult result = FindVariable(*module, name, &variable); result != CUDA_SUCCESS) {
    return result;
  }
  if (dptr != nullptr) *dptr = variable->base();
  if (bytes != nullptr) *bytes = variable->size();
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
