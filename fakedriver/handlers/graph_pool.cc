// SPDX-License-Identifier: Apache-2.0
//
// What graphs hold of a device's memory.
#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph_memory.h"
#include "fakedriver/handlers/handlers.h"

namespace culprit::fakedriver::handlers {
namespace {

GraphPool* PoolOf(CUdevice device) {
  return Driver::Get().device(device) == nullptr ? nullptr : &GraphPool::Of(device);
}

}  // namespace

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  GraphPool* pool = PoolOf(device);
  if (pool == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  pool->Trim();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
  const GraphPool* pool = PoolOf(device);
  if (pool == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const PoolNumbers numbers = pool->numbers();
  auto* number = static_cast<cuuint64_t*>(value);
  switch (attr) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
      *number = numbers.used;
      return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      *number = numbers.used_high;
      return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
      *number = numbers.reserved;
      return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      *number = numbers.reserved_high;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
  GraphPool* pool = PoolOf(device);
  if (pool == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const bool used = attr == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH;
  // CUDA driver API: high marks can only be reset.
  if (value == nullptr || *static_cast<const cuuint64_t*>(value) != 0 ||
      !(used || attr == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  pool->ResetHighMarks(used, !used);
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
