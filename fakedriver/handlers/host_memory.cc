// SPDX-License-Identifier: Apache-2.0
//
// Pinned and registered host memory. The device address of both is the host address.
#include <cstdint>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr uint64_t kPage = 4096;
constexpr unsigned kAllocFlags =
    CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned kRegisterFlags =
    CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;

uint64_t Address(const void* p) { return reinterpret_cast<uint64_t>(p); }

Ref<Allocation> FindHost(const void* p) {
  Ref<Allocation> block = Memory::Get().addresses().Find(Address(p));
  const bool host = block && (block->memory() == MemoryKind::kPinned ||
                              block->memory() == MemoryKind::kRegistered);
  return host ? block : Ref<Allocation>();
}

CUresult AllocatePinned(void** pp, size_t bytes, unsigned flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (pp == nullptr || (flags & ~kAllocFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes == 0) {
    *pp = nullptr;
    return CUDA_SUCCESS;
  }
  auto block = Make<Allocation>(MemoryKind::kPinned, context, context->device().ordinal(), bytes);
  // With unified addressing every pinned block is mapped, asked for or not.
  block->flags = flags | CU_MEMHOSTALLOC_DEVICEMAP;
  if (CUresult result = Memory::Get().PlaceHost(block); result != CUDA_SUCCESS) return result;
  block->flags = Memory::Get().JoinPinned(*block);
  RegisterWithoutCell(block, block->base());
  *pp = block->backing();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemAllocHost_v2(void** pp, size_t bytesize) { return AllocatePinned(pp, bytesize, 0); }

CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return AllocatePinned(pp, bytesize, Flags);
}

CUresult cuMemFreeHost(void* p) {
  if (p == nullptr) return CUDA_SUCCESS;
  if (CUresult result = RefuseDeadCurrentContext(); result != CUDA_SUCCESS) return result;
  Ref<Allocation> block = FindHost(p);
  if (!block || block->base() != Address(p) || block->memory() != MemoryKind::kPinned) {
    return RefuseFree(Address(p), "p");
  }
  if (CUresult result = AllowTeardown(*block, "p"); result != CUDA_SUCCESS) return result;
  if (CUresult result = QuiesceBeforeFree(*block, "p"); result != CUDA_SUCCESS) return result;
  return End(block) ? CUDA_SUCCESS : RefuseFree(Address(p), "p");
}

CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (p == nullptr || bytesize == 0 || (Flags & ~kRegisterFlags) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  AddressSpace& addresses = Memory::Get().addresses();
  if (addresses.FindOverlap(Address(p), bytesize)) {
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  }
  auto block =
      Make<Allocation>(MemoryKind::kRegistered, context, context->device().ordinal(), bytesize);
  block->flags = Flags | CU_MEMHOSTREGISTER_DEVICEMAP;
  block->read_only = (Flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0;
  block->SetPlace(Address(p), static_cast<std::byte*>(p), RoundUp(Address(p) + bytesize, kPage));
  addresses.Add(block);
  RegisterWithoutCell(block, block->base());
  return CUDA_SUCCESS;
}

CUresult cuMemHostRegister(void* p, size_t bytesize, unsigned int Flags) {
  return cuMemHostRegister_v2(p, bytesize, Flags);
}

CUresult cuMemHostUnregister(void* p) {
  if (CUresult result = RefuseDeadCurrentContext(); result != CUDA_SUCCESS) return result;
  Ref<Allocation> block = FindHost(p);
  if (!block) {
    const bool over = RefuseFree(Address(p), "p") == CUDA_SUCCESS;
    return over ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  }
  if (block->base() != Address(p) || block->memory() != MemoryKind::kRegistered) {
    return RefuseFree(Address(p), "p");
  }
  if (CUresult result = AllowTeardown(*block, "p"); result != CUDA_SUCCESS) return result;
  if (CUresult result = QuiesceBeforeFree(*block, "p"); result != CUDA_SUCCESS) return result;
  return End(block) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  if (pdptr == nullptr || Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!FindHost(p)) return CUDA_ERROR_INVALID_VALUE;
  *pdptr = Address(p);
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Allocation> block = FindHost(p);
  if (pFlags == nullptr || !block) return CUDA_ERROR_INVALID_VALUE;
  *pFlags = block->flags;
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
