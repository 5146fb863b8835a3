// SPDX-License-Identifier: Apache-2.0
//
// What functions and kernels say about themselves, and how many blocks fit a multiprocessor.
#ifndef FAKEDRIVER_HANDLERS_FUNCTION_ATTRIBUTES_H_
#define FAKEDRIVER_HANDLERS_FUNCTION_ATTRIBUTES_H_

#include <cstdint>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/function.h"
#include "fakedriver/exec/program.h"

namespace culprit::fakedriver::handlers {

// A kernel of a program on a device, with the settings that apply.
struct KernelOnDevice {
  const exec::Program& program;
  const exec::KernelInfo& info;
  const Device& device;
  uint32_t register_limit;  // 0: none

  // What a compiler would give each thread, an estimate; never more than lets a block of the size that the kernel declares
  // (.maxntid, .reqntid) run.
  uint32_t registers() const;
};
KernelOnDevice OnDevice(const Function& function);

CUresult GetAttribute(const KernelOnDevice& kernel, const FunctionSettings& settings,
                      CUfunction_attribute attribute, int* value);
CUresult SetAttribute(const KernelOnDevice& kernel, FunctionSettings& settings,
                      CUfunction_attribute attribute, int value);

uint64_t MaxThreadsPerBlock(const KernelOnDevice& kernel);
uint64_t MaxDynamicShared(const KernelOnDevice& kernel, const FunctionSettings& settings);

// Blocks of that many threads that are resident at once on one multiprocessor; 0: none fits.
uint64_t BlocksPerMultiprocessor(const KernelOnDevice& kernel, uint64_t threads,
                                 uint64_t dynamic_shared_bytes);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_FUNCTION_ATTRIBUTES_H_
