// SPDX-License-Identifier: Apache-2.0
//
// What a library's kernels mean in one context.
#ifndef FAKEDRIVER_HANDLERS_LIBRARY_OBJECT_H_
#define FAKEDRIVER_HANDLERS_LIBRARY_OBJECT_H_

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/library.h"

namespace culprit::fakedriver::handlers {

// The library's module in the context, made on first use.
CUresult ModuleIn(Library& library, Context& context, Ref<Module>* module);

// The kernel's function in the context.
CUresult FunctionIn(Kernel& kernel, Context& context, Ref<Function>* function);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_LIBRARY_OBJECT_H_
