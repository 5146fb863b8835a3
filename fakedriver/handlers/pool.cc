// SPDX-License-Identifier: Apache-2.0
//
// Stream-ordered memory and the pools it comes from.
//
// To the caller memory is gone with the call that frees it: a second free fails at once, as
// measured. To streams it is gone when the queued free has its turn.
#include "fakedriver/core/pool.h"

#include <cstring>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph_memory.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/graph_memory_nodes.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"
#include "fakedriver/handlers/stream_races.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult AllocateOn(Stream& stream, Pool& pool, size_t bytes, CUdeviceptr* dptr) {
  if (dptr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (bytes == 0) {  // as recorded
    *dptr = 0;
    return CUDA_SUCCESS;
  }
  if (stream.capturing()) return CaptureAllocation(stream, pool, bytes, dptr);
  Ref<Allocation> allocation;
  if (CUresult result = pool.Allocate(*stream.context(), bytes, &allocation);
      result != CUDA_SUCCESS) {
    return result;
  }
  RegisterWithoutCell(allocation, allocation->base());
  NoteAllocation(stream, *allocation);
  *dptr = allocation->base();
  return CUDA_SUCCESS;
}

CUresult FreeQueued(Stream& stream, const Ref<Allocation>& allocation) {
  if (!Unregister(allocation)) return RefuseFree(allocation->base(), "dptr");
  const Ref<GraphMemory> of_graph = allocation->memory() == MemoryKind::kGraph
                                        ? GraphMemory::At(allocation->base())
                                        : Ref<GraphMemory>();
  Operation free;
  if (of_graph) {
    GraphPool::Of(allocation->device()).GiveBack(*allocation);
    free.predecessors.push_back(of_graph->arrival());
  }
  free.after_error = true;
  free.body = [allocation] {
    RaiseIfUsedElsewhere(*allocation);
    Memory::Get().Release(*allocation);
    return CUDA_SUCCESS;
  };
  const Completion end = Enqueue(stream, std::move(free));
  if (of_graph) of_graph->Leaves(end);
  return CUDA_SUCCESS;
}

// Memory of cuMemAlloc. As measured, giving it up again succeeds too.
CUresult GiveUp(Stream& stream, const Ref<Allocation>& allocation) {
  if (allocation->given_up.exchange(true, std::memory_order_acq_rel) || !Unregister(allocation)) {
    if (!Memory::Get().TakeAmbiguous(allocation->base())) RaiseFreedBefore(*allocation, "dptr");
    return CUDA_SUCCESS;
  }
  stream.context()->GiveUp(stream, allocation);
  return CUDA_SUCCESS;
}

CUresult NeedPool(CUmemoryPool handle, const char* argument, Ref<Pool>* pool) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = Need<Pool>(handle, argument, pool);
  return result == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUmemoryPool HandleOf(const Pool& pool) { return reinterpret_cast<CUmemoryPool>(pool.handle()); }

CUresult GetPool(CUmemoryPool* pool, Device* device, Ref<Pool> (*which)(Device&)) {
  if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *pool = HandleOf(*which(*device));
  return CUDA_SUCCESS;
}

CUresult SetPool(Device* device, CUmemoryPool handle) {
  Ref<Pool> pool;
  if (CUresult result = NeedPool(handle, "pool", &pool); result != CUDA_SUCCESS) return result;
  // As recorded, a device that does not exist is one that the pool is not of.
  if (&pool->device() != device) return CUDA_ERROR_INVALID_VALUE;
  SetCurrentPool(*device, pool);
  return CUDA_SUCCESS;
}

template <typename T>
void Store(void* value, T answer) {
  std::memcpy(value, &answer, sizeof answer);
}

std::atomic<int>* ReuseRule(Pool& pool, CUmemPool_attribute attribute) {
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      return &pool.reuse_follow_event_dependencies;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
      return &pool.reuse_allow_opportunistic;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      return &pool.reuse_allow_internal_dependencies;
    default:
      return nullptr;
  }
}

}  // namespace

CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  return AllocateOn(*stream, *CurrentPool(stream->context()->device()), bytesize, dptr);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool handle,
                                 CUstream hStream) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  Ref<Pool> pool;
  if (CUresult result = NeedPool(handle, "pool", &pool); result != CUDA_SUCCESS) return result;
  return AllocateOn(*stream, *pool, bytesize, dptr);
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(hStream, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  if (dptr == 0) return CUDA_SUCCESS;
  if (stream->capturing()) return CaptureFree(*stream, dptr);
  Ref<Allocation> allocation = Memory::Get().addresses().Find(dptr);
  if (!allocation || allocation->base() != dptr) return RefuseFree(dptr, "dptr");
  switch (allocation->memory()) {
    case MemoryKind::kPool:
    case MemoryKind::kGraph:
      return FreeQueued(*stream, allocation);
    case MemoryKind::kDevice:
      return GiveUp(*stream, allocation);
    case MemoryKind::kManaged:
      RefuseFree(dptr, "dptr");
      return CUDA_ERROR_NOT_SUPPORTED;
    default:
      return RefuseFree(dptr, "dptr");
  }
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  return GetPool(pool_out, Driver::Get().device(dev), DefaultPool);
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  return GetPool(pool, Driver::Get().device(dev), CurrentPool);
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  return SetPool(Driver::Get().device(dev), pool);
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location,
                                CUmemAllocationType type) {
  if (location == nullptr || type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  return GetPool(pool_out, DeviceAt(*location), DefaultPool);
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  if (location == nullptr || type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  return GetPool(pool, DeviceAt(*location), CurrentPool);
}

CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  if (location == nullptr || type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  return SetPool(DeviceAt(*location), pool);
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  if (pool == nullptr || poolProps == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (poolProps->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  Device* device = DeviceAt(poolProps->location);
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto made = Make<Pool>(*device);
  Register(made);
  *pool = HandleOf(*made);
  return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<Pool> pool;
  if (CUresult result = NeedForDestroy<Pool>(handle, "pool", &pool); result != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!pool) return CUDA_SUCCESS;
  if (pool->record().internal) return CUDA_ERROR_INVALID_VALUE;
  if (!Unregister(pool)) return CUDA_ERROR_INVALID_VALUE;
  pool->TrimTo(0);
  return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t minBytesToKeep) {
  Ref<Pool> pool;
  if (CUresult result = NeedPool(handle, "pool", &pool); result != CUDA_SUCCESS) return result;
  pool->TrimTo(minBytesToKeep);
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attr, void* value) {
  Ref<Pool> pool;
  if (CUresult result = NeedPool(handle, "pool", &pool); result != CUDA_SUCCESS) return result;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const std::atomic<int>* rule = ReuseRule(*pool, attr)) {
    Store<int>(value, rule->load(std::memory_order_relaxed));
    return CUDA_SUCCESS;
  }
  const PoolNumbers numbers = pool->numbers();
  switch (attr) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      Store<cuuint64_t>(value, pool->release_threshold());
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      Store<cuuint64_t>(value, numbers.reserved);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      Store<cuuint64_t>(value, numbers.reserved_high);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      Store<cuuint64_t>(value, numbers.used);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      Store<cuuint64_t>(value, numbers.used_high);
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attr, void* value) {
  Ref<Pool> pool;
  if (CUresult result = NeedPool(handle, "pool", &pool); result != CUDA_SUCCESS) return result;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (std::atomic<int>* rule = ReuseRule(*pool, attr)) {
    rule->store(*static_cast<const int*>(value) != 0 ? 1 : 0, std::memory_order_relaxed);
    return CUDA_SUCCESS;
  }
  const cuuint64_t number = *static_cast<const cuuint64_t*>(value);
  switch (attr) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      pool->set_release_threshold(number);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: {
      // CUDA driver API: high marks can only be reset.
      if (number != 0) return CUDA_ERROR_INVALID_VALUE;
      const bool used = attr == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
      pool->ResetHighMarks(used, !used);
      return CUDA_SUCCESS;
    }
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc* map, size_t count) {
  Ref<Pool> pool;
  if (CUresult result = NeedPool(handle, "pool", &pool); result != CUDA_SUCCESS) return result;
  if (map == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    const Device* device = DeviceAt(map[i].location);
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    // The pool's own device keeps its access.
    const bool own = device == &pool->device();
    if (own && map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return CUDA_ERROR_INVALID_VALUE;
    if (!own) pool->SetAccess(device->ordinal(), map[i].flags);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                            CUmemLocation* location) {
  Ref<Pool> pool;
  if (CUresult result = NeedPool(memPool, "memPool", &pool); result != CUDA_SUCCESS) return result;
  if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Device* device = DeviceAt(*location);
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = static_cast<CUmemAccess_flags>(pool->AccessOf(device->ordinal()));
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
