// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/function.h"

#include "fakedriver/core/module.h"

namespace culprit::fakedriver {

Function::Function(Context& context, const Ref<Module>& module, uint32_t kernel)
    : Object(ObjectKind::kFunction, &context), module_(module), kernel_(kernel) {}

Function::~Function() = default;

}  // namespace culprit::fakedriver
