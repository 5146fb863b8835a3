// SPDX-License-Identifier: Apache-2.0
//
// Virtual memory management. None of it needs a context; what is out of step (a map over a mapping,
// a free of addresses in use) fails as measured on driver 580, where unmapping nothing succeeds.
#include "fakedriver/core/virtual_memory.h"

#include <unistd.h>

#include <cstring>
#include <limits>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult CheckProperties(const CUmemAllocationProp* prop, Device** device) {
  if (prop == nullptr || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *device = DeviceAt(prop->location);
  return *device != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

bool Granular(uint64_t value) { return value % kGranule == 0; }

CUresult NeedMemory(CUmemGenericAllocationHandle handle, Ref<PhysicalMemory>* memory) {
  const CUresult result =
      Need<PhysicalMemory>(reinterpret_cast<const void*>(handle), "handle", memory);
  return result == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult NeedReservation(CUdeviceptr ptr, size_t size, Ref<Reservation>* reservation) {
  *reservation = Reservations::Get().Find(ptr);
  const bool fits = *reservation && size > 0 && (*reservation)->Contains(ptr, size);
  return fits && Granular(ptr) && Granular(size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUmemGenericAllocationHandle HandleOf(const PhysicalMemory& memory) { return memory.handle(); }

}  // namespace

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* prop,
                                       CUmemAllocationGranularity_flags option) {
  Device* device = nullptr;
  if (CUresult result = CheckProperties(prop, &device); result != CUDA_SUCCESS) return result;
  if (granularity == nullptr || (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
                                 option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *granularity = kGranule;
  return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                     const CUmemAllocationProp* prop, unsigned long long flags) {
  Device* device = nullptr;
  if (CUresult result = CheckProperties(prop, &device); result != CUDA_SUCCESS) return result;
  if (handle == nullptr || size == 0 || !Granular(size) || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  constexpr unsigned kShareable = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if ((prop->requestedHandleTypes & ~kShareable) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  const bool shareable = prop->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE;
  Ref<PhysicalMemory> memory = PhysicalMemory::Create(*device, size, shareable);
  if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
  Register(memory);
  *handle = HandleOf(*memory);
  return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  Ref<PhysicalMemory> memory;
  if (CUresult result =
          NeedForDestroy<PhysicalMemory>(reinterpret_cast<const void*>(handle), "handle", &memory);
      result != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!memory || !memory->ReleaseIsLast()) return CUDA_SUCCESS;
  return Unregister(memory) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr) {
  const auto address = reinterpret_cast<uint64_t>(addr);
  Ref<Reservation> reservation = Reservations::Get().Find(address);
  Ref<PhysicalMemory> memory = reservation ? reservation->MemoryAt(address) : nullptr;
  if (handle == nullptr || !memory) return CUDA_ERROR_INVALID_VALUE;
  if (!memory->alive()) return CUDA_ERROR_INVALID_VALUE;  // its last handle was released
  memory->Retain();
  *handle = HandleOf(*memory);
  return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr* ptr, size_t size, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  const bool power_of_two = (alignment & (alignment - 1)) == 0;
  if (ptr == nullptr || size == 0 || !Granular(size) || !power_of_two || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Ref<Reservation> reservation = Reservations::Get().Reserve(size, alignment);
  if (!reservation) return CUDA_ERROR_OUT_OF_MEMORY;
  RegisterWithoutCell(reservation, reservation->base());
  *ptr = reservation->base();
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size) {
  Ref<Reservation> reservation = Reservations::Get().Find(ptr);
  if (!reservation || reservation->base() != ptr || reservation->size() != size ||
      !reservation->empty()) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!Unregister(reservation)) return CUDA_ERROR_INVALID_VALUE;
  Reservations::Get().Release(reservation);
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  Ref<Reservation> reservation;
  if (CUresult result = NeedReservation(ptr, size, &reservation); result != CUDA_SUCCESS) {
    return result;
  }
  Ref<PhysicalMemory> memory;
  if (CUresult result = NeedMemory(handle, &memory); result != CUDA_SUCCESS) return result;
  if (flags != 0 || !Granular(offset) || size > memory->size() || offset > memory->size() - size) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return reservation->Map(ptr, size, memory, offset) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t size) {
  Ref<Reservation> reservation;
  if (CUresult result = NeedReservation(ptr, size, &reservation); result != CUDA_SUCCESS) {
    return result;
  }
  for (const Ref<Allocation>& mapping : reservation->Accessible(ptr, size)) {
    RaiseIfBusy(*mapping, "ptr");
  }
  if (CUresult error = SynchronizeAllContexts(); error != CUDA_SUCCESS) return error;
  std::vector<Ref<Allocation>> removed;
  if (!reservation->Unmap(ptr, size, &removed)) return CUDA_ERROR_INVALID_VALUE;
  for (const Ref<Allocation>& mapping : removed) End(mapping);
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc, size_t count) {
  Ref<Reservation> reservation;
  if (CUresult result = NeedReservation(ptr, size, &reservation); result != CUDA_SUCCESS) {
    return result;
  }
  if (desc == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    if (DeviceAt(desc[i].location) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    if (!reservation->SetAccess(ptr, size, desc[i].flags)) return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr) {
  if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (DeviceAt(*location) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  Ref<Reservation> reservation = Reservations::Get().Find(ptr);
  if (!reservation || !reservation->MemoryAt(ptr)) return CUDA_ERROR_INVALID_VALUE;
  *flags = reservation->AccessAt(ptr);
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop,
                                                CUmemGenericAllocationHandle handle) {
  Ref<PhysicalMemory> memory;
  if (CUresult result = NeedMemory(handle, &memory); result != CUDA_SUCCESS) return result;
  if (prop == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *prop = {};
  prop->type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop->requestedHandleTypes =
      memory->file() >= 0 ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
  prop->location = {CU_MEM_LOCATION_TYPE_DEVICE, memory->device().ordinal()};
  return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void* shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType,
                                      unsigned long long flags) {
  Ref<PhysicalMemory> memory;
  if (CUresult result = NeedMemory(handle, &memory); result != CUDA_SUCCESS) return result;
  if (shareableHandle == nullptr || flags != 0 || memory->file() < 0 ||
      handleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const int file = dup(memory->file());
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  std::memcpy(shareableHandle, &file, sizeof file);
  return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* osHandle,
                                        CUmemAllocationHandleType shHandleType) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (handle == nullptr || shHandleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const auto number = reinterpret_cast<intptr_t>(osHandle);
  if (number < 0 || number > std::numeric_limits<int>::max()) return CUDA_ERROR_INVALID_VALUE;
  // The caller keeps its descriptor and closes it.
  const int file = dup(static_cast<int>(number));
  if (file < 0) return CUDA_ERROR_INVALID_VALUE;
  Ref<PhysicalMemory> memory = PhysicalMemory::Import(context->device(), file);
  if (!memory) {
    close(file);
    return CUDA_ERROR_INVALID_VALUE;
  }
  Register(memory);
  *handle = HandleOf(*memory);
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
