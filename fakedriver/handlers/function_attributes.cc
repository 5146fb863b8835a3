// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/function_attributes.h"

#include <algorithm>

#include "fakedriver/core/address_space_chunk.h"
#include "fakedriver/core/module.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr uint64_t kWarp = 32;
constexpr uint64_t kDefaultShared = 48 << 10;
// CUDA occupancy rules of devices from 7.0 on: registers are given to warps in units of 256, warps
// in groups of 4, shared memory in units of 128 bytes.
constexpr uint64_t kRegisterUnit = 256;
constexpr uint64_t kWarpGroup = 4;
constexpr uint64_t kSharedUnit = 128;

uint64_t Limit(const Device& device, CUdevice_attribute attribute) {
  int value = 0;
  device.Attribute(attribute, &value);
  return static_cast<uint64_t>(std::max(value, 0));
}

uint64_t Product(const std::array<uint32_t, 3>& v) { return uint64_t{v[0]} * v[1] * v[2]; }

// Attributes that are stored as they are set.
std::atomic<int>* Stored(FunctionSettings& settings, CUfunction_attribute attribute) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return &settings.preferred_carveout;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      return &settings.cluster_must_be_set;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      return &settings.required_cluster_width;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      return &settings.required_cluster_height;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return &settings.required_cluster_depth;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      return &settings.non_portable_cluster;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return &settings.cluster_scheduling;
    default:
      return nullptr;
  }
}

}  // namespace

KernelOnDevice OnDevice(const Function& function) {
  const Module& module = function.module();
  return {module.program(), module.program().kernels()[function.kernel()],
          module.context()->device(), module.loaded().register_limit};
}

uint32_t KernelOnDevice::registers() const {
  uint64_t most = register_limit == 0 ? info.registers : std::min(info.registers, register_limit);
  for (const uint64_t threads : {Product(info.maximum_threads), Product(info.required_threads)}) {
    if (threads == 0) continue;
    const uint64_t warps = (threads + kWarp - 1) / kWarp;
    const uint64_t of_warp = Limit(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK) / warps;
    const uint64_t fit = of_warp / kRegisterUnit * kRegisterUnit / kWarp;
    most = std::min(most, std::max<uint64_t>(fit, kRegisterUnit / kWarp));
  }
  return static_cast<uint32_t>(most);
}

uint64_t MaxThreadsPerBlock(const KernelOnDevice& kernel) {
  uint64_t threads = Limit(kernel.device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  if (const uint64_t declared = Product(kernel.info.maximum_threads); declared != 0) {
    threads = std::min(threads, declared);
  }
  if (const uint64_t declared = Product(kernel.info.required_threads); declared != 0) {
    threads = std::min(threads, declared);
  }
  const uint64_t of_registers = Limit(kernel.device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK) /
                                std::max<uint64_t>(kernel.registers(), 1) / kWarp * kWarp;
  return std::min(threads, std::max(of_registers, kWarp));
}

uint64_t MaxDynamicShared(const KernelOnDevice& kernel, const FunctionSettings& settings) {
  const int set = settings.max_dynamic_shared_bytes.load(std::memory_order_relaxed);
  if (set >= 0) return static_cast<uint64_t>(set);
  return kDefaultShared - std::min<uint64_t>(kernel.info.static_shared_bytes, kDefaultShared);
}

CUresult GetAttribute(const KernelOnDevice& kernel, const FunctionSettings& settings,
                      CUfunction_attribute attribute, int* value) {
  uint64_t answer = 0;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      answer = MaxThreadsPerBlock(kernel);
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      answer = kernel.info.static_shared_bytes;
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      // As recorded: all constants of the module, used by the kernel or not.
      for (const exec::GlobalInfo& global : kernel.program.globals()) {
        if (global.space == exec::StateSpace::kConst) {
          answer = RoundUp(answer, global.align) + global.size;
        }
      }
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      answer = kernel.info.local_bytes;
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      answer = kernel.registers();
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      answer = kernel.program.target_sm();
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      answer = 10 * Limit(kernel.device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
               Limit(kernel.device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
      break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      answer = MaxDynamicShared(kernel, settings);
      break;
    default: {
      const std::atomic<int>* stored = Stored(const_cast<FunctionSettings&>(settings), attribute);
      if (stored == nullptr) return CUDA_ERROR_INVALID_VALUE;
      *value = stored->load(std::memory_order_relaxed);
      return CUDA_SUCCESS;
    }
  }
  *value = static_cast<int>(answer);
  return CUDA_SUCCESS;
}

CUresult SetAttribute(const KernelOnDevice& kernel, FunctionSettings& settings,
                      CUfunction_attribute attribute, int value) {
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    const uint64_t most =
        Limit(kernel.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (value < 0 || static_cast<uint64_t>(value) + kernel.info.static_shared_bytes > most) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    settings.max_dynamic_shared_bytes.store(value, std::memory_order_relaxed);
    return CUDA_SUCCESS;
  }
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT &&
      (value < -1 || value > 100)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::atomic<int>* stored = Stored(settings, attribute);
  if (stored == nullptr) return CUDA_ERROR_INVALID_VALUE;
  stored->store(value, std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

uint64_t BlocksPerMultiprocessor(const KernelOnDevice& kernel, uint64_t threads,
                                 uint64_t dynamic_shared_bytes) {
  const Device& device = kernel.device;
  if (threads == 0 || threads > MaxThreadsPerBlock(kernel)) return 0;
  const uint64_t warps = (threads + kWarp - 1) / kWarp;
  const uint64_t most_warps =
      Limit(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / kWarp;
  uint64_t blocks = std::min(most_warps / warps,
                             Limit(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));

  const uint64_t of_warp =
      RoundUp(std::max<uint64_t>(kernel.registers(), 1) * kWarp, kRegisterUnit);
  const uint64_t register_warps =
      Limit(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) / of_warp / kWarpGroup *
      kWarpGroup;
  blocks = std::min(blocks, register_warps / RoundUp(warps, kWarpGroup));

  const uint64_t reserved = Limit(device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  const uint64_t of_block =
      RoundUp(kernel.info.static_shared_bytes + dynamic_shared_bytes + reserved, kSharedUnit);
  if (of_block > 0) {
    blocks = std::min(
        blocks, Limit(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / of_block);
  }
  return blocks;
}

}  // namespace culprit::fakedriver::handlers
