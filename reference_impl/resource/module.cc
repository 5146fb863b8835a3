// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/module.h"

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {
namespace {

Status Unload(const Driver& driver, std::uintptr_t handle) {
  return driver.cuModuleUnload(reinterpret_cast<CUmodule>(handle));
}

}  // namespace

Status Module::Open(const std::shared_ptr<Context>& context, const char* image) {
  CUmodule made = nullptr;
  Status created =
      InContext(*context, [&] { return context->driver().cuModuleLoadData(&made, image); });
  return Adopt(std::move(created), context, reinterpret_cast<std::uintptr_t>(made), &Unload);
}

Status Module::Function(const char* name, CUfunction* function) const {
  return InContext(context(), [&] { return driver().cuModuleGetFunction(function, get(), name); })
      .Explain(name);
}

Status Module::Functions(std::initializer_list<std::pair<const char*, CUfunction*>> wanted) const {
  for (const auto& [name, function] : wanted) {
    Status found = Function(name, function);
    if (!found.ok()) return found;
  }
  return Status();
}

Status Module::Close() { return Release(&Unload); }

}  // namespace culprit::reference
