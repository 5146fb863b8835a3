// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/kernel_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/bytes_in_place.h"
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/launch_counts.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/settings.h"
#include "fakedriver/core/timeline.h"
#include "fakedriver/exec/program.h"
#include "fakedriver/handlers/device_clock.h"
#include "fakedriver/handlers/function_attributes.h"
#include "fakedriver/handlers/graph_work.h"
#include "fakedriver/handlers/kernel_findings.h"
#include "fakedriver/handlers/launch_memory.h"
#include "fakedriver/handlers/launch_reuse.h"
#include "fakedriver/handlers/library_object.h"
#include "fakedriver/handlers/resolve.h"
#include "fakedriver/handlers/texture_table.h"

namespace culprit::fakedriver::handlers {
namespace {

const exec::KernelInfo& InfoOf(const Function& function) {
  return function.module().program().kernels()[function.kernel()];
}

int AttributeOf(const Device& device, CUdevice_attribute attribute) {
  int value = 0;
  device.Attribute(attribute, &value);
  return value;
}

exec::DeviceProperties PropertiesOf(const Device& device) {
  exec::DeviceProperties properties;
  properties.sm_version =
      static_cast<uint32_t>(10 * AttributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                            AttributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  properties.sm_count =
      static_cast<uint32_t>(AttributeOf(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  properties.max_shared_bytes_per_block = static_cast<uint32_t>(
      AttributeOf(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  properties.max_resident_blocks =
      properties.sm_count *
      static_cast<uint32_t>(AttributeOf(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
  return properties;
}

// The launch as queued: counts as pending use of its module and of the memory its parameters name.
class QueuedLaunch {
 public:
  QueuedLaunch(KernelLaunch&& launch, bool look_at_parameters) : launch_(std::move(launch)) {
    launch_.module->pending.fetch_add(1, std::memory_order_relaxed);
    if (look_at_parameters) HoldParameters();
  }
  QueuedLaunch(const QueuedLaunch&) = delete;
  QueuedLaunch& operator=(const QueuedLaunch&) = delete;
  ~QueuedLaunch() { launch_.module->pending.fetch_sub(1, std::memory_order_release); }

  const KernelLaunch& launch() const { return launch_; }

 private:
  // Pointers are aligned words that name live memory; structs passed by value hold some too.
  void HoldParameters() {
    AddressSpace& addresses = Memory::Get().addresses();
    for (size_t at = 0; at + 8 <= launch_.parameters.size(); at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, launch_.parameters.data() + at, sizeof word);
      if (Ref<Object> texture = FindTexture(word)) launch_.textures.push_back(std::move(texture));
      if (Ref<Allocation> used = addresses.Find(word)) used_.emplace_back(std::move(used));
    }
  }

  KernelLaunch launch_;
  std::vector<MemoryUse> used_;
};

CUresult InvalidExtra(const Function& function, const char* what) {
  audit::Raise(audit::Rule::kKernelParameters,
               {.message = what, .argument = "extra", .more = {{"kernel", InfoOf(function).name}}});
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult CollectExtra(const Function& function, void** extra, std::vector<std::byte>* parameters) {
  const void* buffer = nullptr;
  size_t size = 0;
  bool has_size = false;
  for (void** entry = extra; *entry != CU_LAUNCH_PARAM_END; entry += 2) {
    if (*entry == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = entry[1];
    } else if (*entry == CU_LAUNCH_PARAM_BUFFER_SIZE && entry[1] != nullptr) {
      size = *static_cast<const size_t*>(entry[1]);
      has_size = true;
    } else {
      return InvalidExtra(function, "The list has an entry that is no launch parameter");
    }
  }
  const uint32_t wanted = InfoOf(function).parameter_bytes;
  if (!has_size || (buffer == nullptr && size > 0)) {
    return wanted == 0 ? CUDA_SUCCESS : InvalidExtra(function, "The list has no complete buffer");
  }
  if (size < wanted) {
    audit::Raise(
        audit::Rule::kKernelParameters,
        {.message = fmt::format("The buffer has {} bytes, the kernel takes {}", size, wanted),
         .argument = "extra",
         .more = {{"kernel", InfoOf(function).name}}});
  }
  if (size > 0) std::memcpy(parameters->data(), buffer, std::min<size_t>(size, wanted));
  return CUDA_SUCCESS;
}

}  // namespace

CUresult NeedFunction(CUfunction handle, const char* argument, Context& context,
                      Ref<Function>* function) {
  if (Found<Kernel> kernel = Driver::Get().handles().Find<Kernel>(handle)) {
    return FunctionIn(*kernel.object, context, function);
  }
  if (CUresult result = Need<Function>(handle, argument, function); result != CUDA_SUCCESS) {
    return result;
  }
  return (*function)->context() == &context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult CheckConfig(const Function& function, const exec::LaunchConfig& config) {
  const exec::KernelInfo& info = InfoOf(function);
  const Device& device = function.module().context()->device();
  const exec::Dim3& grid = config.grid;
  const exec::Dim3& block = config.block;
  const auto limit = [&](CUdevice_attribute attribute) {
    return static_cast<uint64_t>(AttributeOf(device, attribute));
  };
  if (grid.Count() == 0 || block.Count() == 0) return CUDA_ERROR_INVALID_VALUE;
  if (grid.x > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) ||
      grid.y > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) ||
      grid.z > limit(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z) ||
      block.x > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) ||
      block.y > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) ||
      block.z > limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) ||
      block.Count() > limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const KernelOnDevice kernel = OnDevice(function);
  if (block.Count() > MaxThreadsPerBlock(kernel)) return CUDA_ERROR_INVALID_VALUE;
  const exec::Dim3 required{info.required_threads[0], info.required_threads[1],
                            info.required_threads[2]};
  if (required.Count() != 0 && !(required == block)) return CUDA_ERROR_INVALID_VALUE;
  if (config.dynamic_shared_bytes > MaxDynamicShared(kernel, function.settings) ||
      uint64_t{config.dynamic_shared_bytes} + info.static_shared_bytes >
          limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (config.cluster.Count() == 0 || grid.x % config.cluster.x != 0 ||
      grid.y % config.cluster.y != 0 || grid.z % config.cluster.z != 0) {
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  }
  return CUDA_SUCCESS;
}

CUresult CollectParameters(const Function& function, void** kernelParams, void** extra,
                           std::vector<std::byte>* parameters) {
  const exec::KernelInfo& info = InfoOf(function);
  if (kernelParams != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
  parameters->assign(info.parameter_bytes, std::byte{0});
  if (extra != nullptr) return CollectExtra(function, extra, parameters);
  if (info.parameters.empty()) return CUDA_SUCCESS;
  if (kernelParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < info.parameters.size(); ++i) {
    const exec::Parameter& parameter = info.parameters[i];
    if (kernelParams[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(parameters->data() + parameter.offset, kernelParams[i], parameter.size);
  }
  return CUDA_SUCCESS;
}

CUresult Submit(KernelLaunch launch, Stream& stream) {
  if (stream.capturing())
    return AddToCapture(stream, KernelNode(std::move(launch), *stream.context()));
  const Policy policy = CurrentSettings().policy;
  Operation operation;
  operation.takes_time = launch.module->loaded().takes_time[launch.kernel];
  const bool waits = operation.takes_time || policy == Policy::kLazy || policy == Policy::kRandom ||
                     stream.tail() != nullptr;
  auto queued = std::make_shared<QueuedLaunch>(std::move(launch), waits);
  operation.body = [queued, context = stream.context()] { return Run(queued->launch(), *context); };
  queued.reset();
  Enqueue(stream, std::move(operation));
  return CUDA_SUCCESS;
}

CUresult Run(const KernelLaunch& launch, Context& context) {
  const BytesInPlace in_place;
  LaunchReuse reuse(launch, context);
  const std::string& kernel = launch.module->program().kernels()[launch.kernel].name;
  std::vector<LaunchAccess> accesses;
  if (reuse.Reproduce(&accesses)) {
    NoteLaunch(accesses, kernel);
    return CUDA_SUCCESS;
  }
  const Settings& settings = CurrentSettings();
  LaunchMemory memory(context, reuse);
  DeviceClock clock(context.device());
  TextureTable textures(launch.textures);
  exec::Environment environment(memory, clock);
  environment.textures = &textures;
  environment.print = [&reuse](std::string_view text) {
    reuse.DependsOnMore();
    PrintFromKernel(text);
  };
  environment.device = PropertiesOf(context.device());
  environment.workers = settings.kernel_workers;
  environment.checks.out_of_bounds = settings.checks.out_of_bounds;
  environment.checks.use_after_free = settings.checks.use_after_free;
  environment.checks.uninitialised = settings.checks.uninitialized;
  environment.checks.shared_races = settings.checks.races;
  environment.checks.block_races = settings.checks.block_races;
  environment.limits.instructions = settings.kernel_instructions;
  environment.limits.cancelled = &Timeline::Get().abandoned();
  const exec::LaunchResult result =
      exec::Launch(launch.module->program(), launch.kernel, launch.config, launch.parameters,
                   launch.module->state(), environment);
  CountedLaunches().lane_instructions.fetch_add(result.statistics.lane_instructions,
                                                std::memory_order_relaxed);
  // A kernel that may wait for others to write can be ordered after them by that.
  if (!result.may_wait) accesses = memory.Accesses();
  reuse.Keep(result, accesses);
  RaiseKernelFindings(result);
  NoteLaunch(accesses, kernel);
  return result.ok() ? CUDA_SUCCESS : ResultOfFault(*result.fault);
}

}  // namespace culprit::fakedriver::handlers
