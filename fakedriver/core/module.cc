// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/module.h"

#include <utility>

#include "fakedriver/core/context.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"

namespace culprit::fakedriver {

Module::Module(Context& context, std::shared_ptr<const LoadedProgram> loaded)
    : Object(ObjectKind::kModule, &context), loaded_(std::move(loaded)) {}

Module::~Module() = default;

void Module::SetVariables(std::vector<Ref<Allocation>> variables,
                          std::shared_ptr<const exec::ModuleState> state) {
  variables_ = std::move(variables);
  state_ = std::move(state);
}

Ref<Function> Module::FunctionOf(uint32_t kernel) {
  std::lock_guard lock(mutex_);
  for (const Ref<Function>& function : functions_) {
    if (function->kernel() == kernel) return function;
  }
  auto function = Make<Function>(*context(), Ref<Module>(this), kernel);
  Driver::Get().handles().Insert(function);
  functions_.push_back(function);
  return function;
}

std::vector<Ref<Function>> Module::functions() const {
  std::lock_guard lock(mutex_);
  return functions_;
}

void Module::TearDown() {
  std::vector<Ref<Function>> functions;
  {
    std::lock_guard lock(mutex_);
    functions.swap(functions_);
  }
  for (const Ref<Function>& function : functions) Driver::Get().handles().Remove(function);
  // Launches that still run keep the objects; their addresses go now.
  for (const Ref<Allocation>& variable : variables_) {
    if (variable && variable->MarkDestroyed()) Memory::Get().Release(*variable);
  }
}

}  // namespace culprit::fakedriver
