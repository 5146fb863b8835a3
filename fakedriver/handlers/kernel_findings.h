// SPDX-License-Identifier: Apache-2.0
//
// What kernels do wrong, as findings that name kernel, line, block, thread and the allocation with
// the call that made it.
#ifndef FAKEDRIVER_HANDLERS_KERNEL_FINDINGS_H_
#define FAKEDRIVER_HANDLERS_KERNEL_FINDINGS_H_

#include <string_view>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/exec/launch.h"

namespace culprit::fakedriver::handlers {

void RaiseKernelFindings(const exec::LaunchResult& result);

// The sticky error that a fault leaves behind.
CUresult ResultOfFault(const exec::DeviceFault& fault);

// Output of printf in a kernel.
void PrintFromKernel(std::string_view text);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_KERNEL_FINDINGS_H_
