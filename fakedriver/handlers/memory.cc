// SPDX-License-Identifier: Apache-2.0
//
// Device and managed memory. Without a context only frees and queries work, as measured on driver
// 580; bounds and sizes are what that driver answers.
#include "fakedriver/core/memory.h"

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/device.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr size_t kPitchGranularity = 512;

CUresult AllocateInCurrent(MemoryKind kind, size_t bytes, CUdeviceptr* dptr) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (dptr == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  Ref<Allocation> allocation;
  if (CUresult result = Allocate(*context, kind, bytes, &allocation); result != CUDA_SUCCESS) {
    return result;
  }
  *dptr = allocation->base();
  return CUDA_SUCCESS;
}

bool CanFree(const Allocation& allocation) {
  switch (allocation.memory()) {
    case MemoryKind::kDevice:
    case MemoryKind::kPool:
    case MemoryKind::kManaged:
    case MemoryKind::kGraph:
      return true;
    default:
      return false;
  }
}

}  // namespace

CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Device& device = context->device();
  if (free != nullptr) *free = Memory::Get().FreeBytes(device);
  if (total != nullptr) *total = device.description().total_memory;
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize) {
  return AllocateInCurrent(MemoryKind::kDevice, bytesize, dptr);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                            unsigned int ElementSizeBytes) {
  // As recorded: a failure clears both, but for want of memory the pitch is told all the same.
  if (dptr != nullptr) *dptr = 0;
  if (pPitch != nullptr) *pPitch = 0;
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  const bool element_fits =
      ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16;
  if (dptr == nullptr || pPitch == nullptr || WidthInBytes == 0 || Height == 0 || !element_fits) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const size_t pitch = RoundUp(WidthInBytes, kPitchGranularity);
  if (pitch < WidthInBytes) return CUDA_ERROR_OUT_OF_MEMORY;
  *pPitch = pitch;
  size_t bytes = 0;
  if (__builtin_mul_overflow(pitch, Height, &bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  return AllocateInCurrent(MemoryKind::kDevice, bytes, dptr);
}

CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  const bool flags_fit = flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST;
  if (dptr == nullptr || bytesize == 0 || !flags_fit) return CUDA_ERROR_INVALID_VALUE;
  auto allocation =
      Make<Allocation>(MemoryKind::kManaged, context, context->device().ordinal(), bytesize);
  allocation->flags = flags;
  if (CUresult result = Memory::Get().PlaceManaged(allocation, context->device());
      result != CUDA_SUCCESS) {
    return result;
  }
  RegisterWithoutCell(allocation, allocation->base());
  *dptr = allocation->base();
  return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr dptr) {
  // As measured, also of a null pointer.
  if (CUresult result = RefuseDeadCurrentContext(); result != CUDA_SUCCESS) return result;
  if (dptr == 0) return CUDA_SUCCESS;
  Ref<Allocation> allocation = Memory::Get().addresses().Find(dptr);
  if (!allocation || allocation->base() != dptr || !CanFree(*allocation)) {
    return RefuseFree(dptr, "dptr");
  }
  if (CUresult result = AllowTeardown(*allocation, "dptr"); result != CUDA_SUCCESS) return result;
  if (allocation->given_up.load(std::memory_order_acquire)) {
    // As measured: what cuMemFreeAsync gave up and nobody has waited for yet can be freed once
    // more.
    if (!Memory::Get().TakeAmbiguous(dptr)) RaiseFreedBefore(*allocation, "dptr");
    ReleaseGivenUp(*allocation);
    return CUDA_SUCCESS;
  }
  if (CUresult result = QuiesceBeforeFree(*allocation, "dptr"); result != CUDA_SUCCESS) {
    return result;
  }
  return End(allocation) ? CUDA_SUCCESS : RefuseFree(dptr, "dptr");
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Allocation> allocation = Memory::Get().addresses().Find(dptr);
  if (!allocation) return CUDA_ERROR_NOT_FOUND;
  if (pbase != nullptr) *pbase = allocation->base();
  if (psize != nullptr) *psize = allocation->size();
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
