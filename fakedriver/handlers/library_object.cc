// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/library_object.h"

#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/module_loading.h"

namespace culprit::fakedriver::handlers {

CUresult ModuleIn(Library& library, Context& context, Ref<Module>* module) {
  if (library.broken() != CUDA_SUCCESS) return library.broken();
  *module = library.FindModule(context);
  if (*module) return CUDA_SUCCESS;
  Ref<Module> made;
  if (CUresult result = MakeModule(context, library.loaded(), ModuleOwner::kLibrary, &made);
      result != CUDA_SUCCESS) {
    return result;
  }
  *module = library.AddModule(made);
  if (module->get() != made.get() && Unregister(made)) made->TearDown();
  return CUDA_SUCCESS;
}

CUresult FunctionIn(Kernel& kernel, Context& context, Ref<Function>* function) {
  Ref<Module> module;
  if (CUresult result = ModuleIn(kernel.library(), context, &module); result != CUDA_SUCCESS) {
    return result;
  }
  *function = module->FunctionOf(kernel.index());
  const int shared = kernel.settings.max_dynamic_shared_bytes.load(std::memory_order_relaxed);
  if (shared > (*function)->settings.max_dynamic_shared_bytes.load(std::memory_order_relaxed)) {
    (*function)->settings.max_dynamic_shared_bytes.store(shared, std::memory_order_relaxed);
  }
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
