// SPDX-License-Identifier: Apache-2.0
//
// Memory and events of one process used by another. A handle says where the exporting process keeps
// what is shared; it is valid while that process lives and has not given the object up. As measured
// on driver 580, the exporting process itself cannot open it.
#include <unistd.h>

#include <cstring>

#include "fakedriver/core/device.h"
#include "fakedriver/core/event.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/shared_memory.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

constexpr uint64_t kMemoryMark = 0x63756c4d656d3031;
constexpr uint64_t kEventMark = 0x63756c45766e3031;

template <typename Name>
struct Marked {
  uint64_t mark = 0;
  Name name;
};

template <typename Name, typename Handle>
void Pack(uint64_t mark, const Name& name, Handle* handle) {
  const Marked<Name> marked{mark, name};
  static_assert(sizeof marked <= sizeof handle->reserved);
  std::memset(handle, 0, sizeof *handle);
  std::memcpy(handle->reserved, &marked, sizeof marked);
}

template <typename Name, typename Handle>
bool Unpack(uint64_t mark, const Handle& handle, Name* name) {
  Marked<Name> marked;
  std::memcpy(&marked, handle.reserved, sizeof marked);
  *name = marked.name;
  return marked.mark == mark;
}

CUresult OpenMemHandle(CUdeviceptr* pdptr, const CUipcMemHandle& handle, unsigned flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  SharedMemoryName name;
  if (pdptr == nullptr || (flags & CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == 0 ||
      !Unpack(kMemoryMark, handle, &name)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (name.process() == getpid()) return CUDA_ERROR_INVALID_CONTEXT;
  if (Driver::Get().device(name.device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  Ref<Allocation> allocation;
  if (CUresult result = OpenMemory(*context, name, &allocation); result != CUDA_SUCCESS) {
    return result;
  }
  *pdptr = allocation->base();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Allocation> allocation = Memory::Get().addresses().Find(dptr);
  if (pHandle == nullptr || !allocation || allocation->memory() != MemoryKind::kDevice) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // Nothing may write while the bytes move to where others can see them.
  allocation->context()->Synchronize();
  SharedMemoryName name;
  if (CUresult result = ExportMemory(*allocation, &name); result != CUDA_SUCCESS) return result;
  Pack(kMemoryMark, name, pHandle);
  return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags) {
  return OpenMemHandle(pdptr, handle, Flags);
}
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags) {
  return OpenMemHandle(pdptr, handle, Flags);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  Ref<Allocation> allocation = Memory::Get().addresses().Find(dptr);
  if (!allocation || allocation->memory() != MemoryKind::kImported || allocation->base() != dptr) {
    return RefuseFree(dptr, "dptr");
  }
  if (CUresult result = AllowTeardown(*allocation, "dptr"); result != CUDA_SUCCESS) return result;
  if (!CloseMemory(*allocation)) return CUDA_SUCCESS;
  if (CUresult result = QuiesceBeforeFree(*allocation, "dptr"); result != CUDA_SUCCESS) {
    return result;
  }
  return End(allocation) ? CUDA_SUCCESS : RefuseFree(dptr, "dptr");
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent hEvent) {
  if (pHandle == nullptr || hEvent == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Ref<Event> event;
  if (CUresult result = Need<Event>(hEvent, "event", &event); result != CUDA_SUCCESS) return result;
  // What another process exported is not this one's to export.
  if (event->shared() == nullptr || event->imported()) return CUDA_ERROR_INVALID_HANDLE;
  Pack(kEventMark, event->shared()->name(), pHandle);
  return CUDA_SUCCESS;
}

CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  SharedFileName name;
  if (phEvent == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Unpack(kEventMark, handle, &name)) return CUDA_ERROR_MAP_FAILED;
  if (name.process == getpid()) return CUDA_ERROR_INVALID_CONTEXT;
  std::shared_ptr<SharedEvent> shared = SharedEvent::Open(name);
  // The exporter is gone, or has destroyed the event: as measured it can be opened still; nothing
  // is pending there.
  if (shared == nullptr) shared = SharedEvent::Create();
  if (shared == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  constexpr unsigned kFlags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
  auto event = Make<Event>(*context, kFlags, std::move(shared));
  event->set_imported();
  *phEvent = reinterpret_cast<CUevent>(Register(event));
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
