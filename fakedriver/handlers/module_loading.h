// SPDX-License-Identifier: Apache-2.0
//
// Modules from programs: their variables get memory in the context and their first values.
#ifndef FAKEDRIVER_HANDLERS_MODULE_LOADING_H_
#define FAKEDRIVER_HANDLERS_MODULE_LOADING_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/module.h"
#include "fakedriver/handlers/jit_options.h"

namespace culprit::fakedriver::handlers {

// The device's architecture: 90 for sm_90.
uint32_t SmOf(const Device& device);

// Reads the image for the device. A refusal raises module.rejected and goes to the error log.
CUresult LoadProgram(const void* image, const Device& device, JitOptions& options,
                     std::shared_ptr<const LoadedProgram>* program);

enum class ModuleOwner : uint8_t { kProgram, kLibrary };

// A module of `context`, registered. Out of memory is the one thing that can go wrong.
CUresult MakeModule(Context& context, std::shared_ptr<const LoadedProgram> program,
                    ModuleOwner owner, Ref<Module>* module);

// The whole file, with a NUL behind it. CUDA_ERROR_FILE_NOT_FOUND, CUDA_ERROR_INVALID_VALUE.
CUresult ReadImageFile(const char* name, std::vector<std::byte>* image);

// The variable's memory, by name; CUDA_ERROR_NOT_FOUND.
CUresult FindVariable(const Module& module, const char* name, Ref<Allocation>* variable);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_MODULE_LOADING_H_
