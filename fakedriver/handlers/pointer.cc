// SPDX-License-Identifier: Apache-2.0
//
// What a pointer is: attributes of the allocation it points into.
#include <cstdint>

#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

// CUDA driver API, cuPointerGetAttribute: the type that `data` points to depends on the attribute.
template <typename T>
CUresult Answer(void* data, T value) {
  *static_cast<T*>(data) = value;
  return CUDA_SUCCESS;
}

bool OfHost(const Allocation& allocation) {
  return allocation.memory() == MemoryKind::kPinned ||
         allocation.memory() == MemoryKind::kRegistered;
}

CUcontext ContextOf(const Allocation& allocation) {
  const Context* context = allocation.context();
  return reinterpret_cast<CUcontext>(context != nullptr ? context->handle() : 0);
}

CUmemoryPool PoolOf(const Allocation& allocation) {
  const Ref<Object> pool =
      allocation.memory() == MemoryKind::kPool ? allocation.parent() : Ref<Object>();
  return reinterpret_cast<CUmemoryPool>(pool ? pool->handle() : 0);
}

CUresult AttributeOf(Allocation& allocation, CUpointer_attribute attribute, uint64_t pointer,
                     void* data) {
  const MemoryKind kind = allocation.memory();
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      // Pool and mapped memory belong to a device, not to a context; memory of graphs, it is
      // guessed, as well.
      if (OfDevice(kind) || kind == MemoryKind::kMapped) {
        return Answer<CUcontext>(data, nullptr);
      }
      return Answer(data, ContextOf(allocation));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return Answer<unsigned>(data, OfHost(allocation) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return Answer<CUdeviceptr>(data, pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!IsHostAccessible(kind)) return CUDA_ERROR_INVALID_VALUE;
      return Answer<void*>(data, reinterpret_cast<void*>(pointer));
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
      if (OfHost(allocation)) return CUDA_ERROR_INVALID_VALUE;
      // As recorded: whoever asks for the tokens wants other devices to write there.
      allocation.sync_operations = true;
      return Answer<CUDA_POINTER_ATTRIBUTE_P2P_TOKENS>(data, {allocation.buffer_id, 0});
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return Answer<unsigned>(data, allocation.sync_operations ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return Answer<unsigned long long>(data, allocation.buffer_id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return Answer<unsigned>(data, kind == MemoryKind::kManaged ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return Answer<int>(data, allocation.device());
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return Answer<unsigned>(data, kind == MemoryKind::kDevice ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return Answer<CUdeviceptr>(data, allocation.base());
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return Answer<size_t>(data, allocation.size());
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return Answer<unsigned>(data, 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return Answer<cuuint64_t>(data, CU_MEM_HANDLE_TYPE_NONE);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return Answer<unsigned>(data, OfHost(allocation) ? 0 : 1);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return Answer<unsigned>(data, allocation.read_only
                                        ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ
                                        : CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return Answer(data, PoolOf(allocation));
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return Answer<size_t>(data, allocation.size());
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return Answer<CUdeviceptr>(data, allocation.base());
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return Answer<unsigned long long>(data, allocation.buffer_id);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

size_t BytesOf(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return 4;
    default:
      return 8;
  }
}

// CUDA driver API, cuPointerGetAttributes: for a pointer that the driver does not know, and for
// attributes that do not apply, the answer is null, and the device ordinal -2.
void AnswerNothing(CUpointer_attribute attribute, void* data) {
  if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
    *static_cast<int*>(data) = -2;
    return;
  }
  std::memset(data, 0, BytesOf(attribute));
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<Allocation> allocation = Memory::Get().addresses().Find(ptr);
  if (!allocation) return CUDA_ERROR_INVALID_VALUE;
  return AttributeOf(*allocation, attribute, ptr, data);
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes,
                                void** data, CUdeviceptr ptr) {
  if (numAttributes == 0 || attributes == nullptr || data == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Ref<Allocation> allocation = Memory::Get().addresses().Find(ptr);
  for (unsigned i = 0; i < numAttributes; ++i) {
    if (data[i] == nullptr || attributes[i] < CU_POINTER_ATTRIBUTE_CONTEXT ||
        attributes[i] > CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!allocation || AttributeOf(*allocation, attributes[i], ptr, data[i]) != CUDA_SUCCESS) {
      AnswerNothing(attributes[i], data[i]);
    }
  }
  return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr ptr) {
  Ref<Allocation> allocation = Memory::Get().addresses().Find(ptr);
  if (value == nullptr || !allocation || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  allocation->sync_operations = *static_cast<const unsigned*>(value) != 0;
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
