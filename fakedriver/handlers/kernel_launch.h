// SPDX-License-Identifier: Apache-2.0
//
// A kernel launch as a value: checked, with its parameters copied, ready to be queued, now or from
// a graph, any number of times.
#ifndef FAKEDRIVER_HANDLERS_KERNEL_LAUNCH_H_
#define FAKEDRIVER_HANDLERS_KERNEL_LAUNCH_H_

#include <cstddef>
#include <vector>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/function.h"
#include "fakedriver/core/module.h"
#include "fakedriver/core/stream.h"
#include "fakedriver/exec/launch.h"

namespace culprit::fakedriver::handlers {

struct KernelLaunch {
  Ref<Module> module;
  uint32_t kernel = 0;
  exec::LaunchConfig config;
  std::vector<std::byte> parameters;
  // Texture and surface objects that the parameters name; they may be destroyed before it runs.
  std::vector<Ref<Object>> textures;
  uint64_t function = 0;  // the handle it was launched by
};

// What a function handle means for work in `context`: a CUfunction, or a CUkernel in its place.
// CUDA_ERROR_INVALID_HANDLE when it is neither, or of another context.
CUresult NeedFunction(CUfunction handle, const char* argument, Context& context,
                      Ref<Function>* function);

// Checks sizes against the kernel and the device.
CUresult CheckConfig(const Function& function, const exec::LaunchConfig& config);

// Copies the parameters out of `kernelParams` or out of the buffer that `extra` names.
CUresult CollectParameters(const Function& function, void** kernelParams, void** extra,
                           std::vector<std::byte>* parameters);

// Queues it.
CUresult Submit(KernelLaunch launch, Stream& stream);

// Runs it to its end on this thread; what the kernel did wrong becomes findings, and a fault the
// result.
CUresult Run(const KernelLaunch& launch, Context& context);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_KERNEL_LAUNCH_H_
