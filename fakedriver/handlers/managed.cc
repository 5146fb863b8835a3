// SPDX-License-Identifier: Apache-2.0
//
// Hints about managed memory. One memory serves host and devices here, so they are checked,
// remembered where they can be asked for, and have no effect.
#include <cstring>

#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult NeedManaged(CUdeviceptr pointer, size_t bytes, Ref<Allocation>* allocation) {
  *allocation = Memory::Get().addresses().Find(pointer);
  const bool managed = *allocation && (*allocation)->memory() == MemoryKind::kManaged &&
                       bytes > 0 && (*allocation)->Contains(pointer, bytes);
  return managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

bool IsDeviceOrHost(int device) {
  return device == CU_DEVICE_CPU || Driver::Get().device(device) != nullptr;
}

CUresult Advise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, int device) {
  Ref<Allocation> allocation;
  if (CUresult result = NeedManaged(pointer, bytes, &allocation); result != CUDA_SUCCESS) {
    return result;
  }
  switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
      allocation->advice.read_mostly = true;
      break;
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
      allocation->advice.read_mostly = false;
      break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
      if (!IsDeviceOrHost(device)) return CUDA_ERROR_INVALID_DEVICE;
      allocation->advice.preferred_location = device;
      break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      allocation->advice.preferred_location = CU_DEVICE_INVALID;
      break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
      if (!IsDeviceOrHost(device)) return CUDA_ERROR_INVALID_DEVICE;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult LocationDevice(const CUmemLocation& location, int* device) {
  if (location.type == CU_MEM_LOCATION_TYPE_HOST) {
    *device = CU_DEVICE_CPU;
    return CUDA_SUCCESS;
  }
  if (location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
  *device = location.id;
  return IsDeviceOrHost(location.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult Prefetch(CUdeviceptr pointer, size_t bytes, int device, CUstream handle) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(handle, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  if (!IsDeviceOrHost(device)) return CUDA_ERROR_INVALID_DEVICE;
  Ref<Allocation> allocation;
  if (CUresult result = NeedManaged(pointer, bytes, &allocation); result != CUDA_SUCCESS) {
    return result;
  }
  Operation operation;
  operation.body = [allocation, device] {
    allocation->advice.last_prefetch = device;
    return CUDA_SUCCESS;
  };
  Enqueue(*stream, std::move(operation));
  return CUDA_SUCCESS;
}

CUresult RangeAttribute(const Allocation& allocation, CUmem_range_attribute attribute, void* data,
                        size_t bytes) {
  int answer = 0;
  switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      answer = allocation.advice.read_mostly ? 1 : 0;
      break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      answer = allocation.advice.preferred_location;
      break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      answer = allocation.advice.last_prefetch;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (bytes != sizeof answer) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(data, &answer, sizeof answer);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device) {
  return Advise(devPtr, count, advice, device);
}

CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                        CUmemLocation location) {
  int device = CU_DEVICE_INVALID;
  if (CUresult result = LocationDevice(location, &device); result != CUDA_SUCCESS) return result;
  return Advise(devPtr, count, advice, device);
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                            CUstream hStream) {
  return Prefetch(devPtr, count, dstDevice, hStream);
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                               unsigned int flags, CUstream hStream) {
  int device = CU_DEVICE_INVALID;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = LocationDevice(location, &device); result != CUDA_SUCCESS) return result;
  return Prefetch(devPtr, count, device, hStream);
}

CUresult cuMemRangeGetAttribute(void* data, size_t dataSize, CUmem_range_attribute attribute,
                                CUdeviceptr devPtr, size_t count) {
  Ref<Allocation> allocation;
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = NeedManaged(devPtr, count, &allocation); result != CUDA_SUCCESS) {
    return result;
  }
  return RangeAttribute(*allocation, attribute, data, dataSize);
}

CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes, CUmem_range_attribute* attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count) {
  if (data == nullptr || dataSizes == nullptr || attributes == nullptr || numAttributes == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Ref<Allocation> allocation;
  if (CUresult result = NeedManaged(devPtr, count, &allocation); result != CUDA_SUCCESS) {
    return result;
  }
  for (size_t i = 0; i < numAttributes; ++i) {
    if (CUresult result = RangeAttribute(*allocation, attributes[i], data[i], dataSizes[i]);
        result != CUDA_SUCCESS) {
      return result;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
