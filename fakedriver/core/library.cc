// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/library.h"

#include <utility>

#include "fakedriver/core/context.h"
#include "fakedriver/core/driver.h"

namespace culprit::fakedriver {

Kernel::Kernel(const Ref<Library>& library, uint32_t index)
    : Object(ObjectKind::kKernel, nullptr), library_(library), index_(index) {}

Kernel::~Kernel() = default;

Library::Library(std::shared_ptr<const LoadedProgram> loaded, CUresult broken)
    : Object(ObjectKind::kLibrary, nullptr), loaded_(std::move(loaded)), broken_(broken) {}

Library::~Library() = default;

Ref<Kernel> Library::KernelOf(uint32_t index) {
  std::lock_guard lock(mutex_);
  for (const Ref<Kernel>& kernel : kernels_) {
    if (kernel->index() == index) return kernel;
  }
  auto kernel = Make<Kernel>(Ref<Library>(this), index);
  Driver::Get().handles().Insert(kernel);
  kernels_.push_back(kernel);
  return kernel;
}

Ref<Module> Library::FindModule(const Context& context) const {
  std::lock_guard lock(mutex_);
  for (const Ref<Module>& module : modules_) {
    if (module->context() == &context && module->alive()) return module;
  }
  return nullptr;
}

Ref<Module> Library::AddModule(const Ref<Module>& module) {
  std::lock_guard lock(mutex_);
  std::erase_if(modules_, [](const Ref<Module>& known) { return !known->alive(); });
  for (const Ref<Module>& known : modules_) {
    if (known->context() == module->context()) return known;
  }
  modules_.push_back(module);
  return module;
}

void Library::TearDown() {
  std::vector<Ref<Kernel>> kernels;
  std::vector<Ref<Module>> modules;
  {
    std::lock_guard lock(mutex_);
    kernels.swap(kernels_);
    modules.swap(modules_);
  }
  for (const Ref<Kernel>& kernel : kernels) Driver::Get().handles().Remove(kernel);
  for (const Ref<Module>& module : modules) {
    if (Unregister(module)) module->TearDown();
  }
}

}  // namespace culprit::fakedriver
