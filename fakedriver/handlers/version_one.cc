// SPDX-License-Identifier: Apache-2.0
//
// The first versions of entries that later got 64-bit device pointers and sizes. Programs that look
// entries up by name get them when they forget the suffix. A context of today answers them with
// CUDA_ERROR_INVALID_CONTEXT, and what the caller wanted does not happen.
#include <fmt/format.h>

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/describe.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult RefuseOldVersion() {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context); result != CUDA_SUCCESS) return result;
  const char* entry = Info(CurrentCall()->api).symbol;
  audit::Raise(
      audit::Rule::kApiVersionMix,
      {.message = fmt::format("{} is the variant with 32-bit device pointers; the context was "
                              "made by a later version of the interface, which has {}_v2",
                              entry, entry),
       .object = Describe(context->record()),
       .handle = context->handle()});
  return CUDA_ERROR_INVALID_CONTEXT;
}

}  // namespace

CUresult cuModuleGetGlobal(CUdeviceptr_v1*, unsigned int*, CUmodule, const char*) {
  return RefuseOldVersion();
}
CUresult cuMemGetInfo(unsigned int*, unsigned int*) { return RefuseOldVersion(); }
CUresult cuMemAlloc(CUdeviceptr_v1*, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemAllocPitch(CUdeviceptr_v1*, unsigned int*, unsigned int, unsigned int, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemFree(CUdeviceptr_v1) { return RefuseOldVersion(); }
CUresult cuMemGetAddressRange(CUdeviceptr_v1*, unsigned int*, CUdeviceptr_v1) {
  return RefuseOldVersion();
}
CUresult cuMemAllocHost(void**, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemHostGetDevicePointer(CUdeviceptr_v1*, void*, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemcpyHtoD(CUdeviceptr_v1, const void*, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemcpyDtoH(void*, CUdeviceptr_v1, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemcpyDtoD(CUdeviceptr_v1, CUdeviceptr_v1, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemcpyDtoA(CUarray, unsigned int, CUdeviceptr_v1, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemcpyAtoD(CUdeviceptr_v1, CUarray, unsigned int, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemcpyHtoA(CUarray, unsigned int, const void*, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemcpyAtoH(void*, CUarray, unsigned int, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemcpyAtoA(CUarray, unsigned int, CUarray, unsigned int, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D_v1*) { return RefuseOldVersion(); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D_v1*) { return RefuseOldVersion(); }
CUresult cuMemcpy3D(const CUDA_MEMCPY3D_v1*) { return RefuseOldVersion(); }
CUresult cuMemcpyHtoDAsync(CUdeviceptr_v1, const void*, unsigned int, CUstream) {
  return RefuseOldVersion();
}
CUresult cuMemcpyDtoHAsync(void*, CUdeviceptr_v1, unsigned int, CUstream) {
  return RefuseOldVersion();
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr_v1, CUdeviceptr_v1, unsigned int, CUstream) {
  return RefuseOldVersion();
}
CUresult cuMemcpyHtoAAsync(CUarray, unsigned int, const void*, unsigned int, CUstream) {
  return RefuseOldVersion();
}
CUresult cuMemcpyAtoHAsync(void*, CUarray, unsigned int, unsigned int, CUstream) {
  return RefuseOldVersion();
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D_v1*, CUstream) { return RefuseOldVersion(); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D_v1*, CUstream) { return RefuseOldVersion(); }
CUresult cuMemsetD8(CUdeviceptr_v1, unsigned char, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemsetD16(CUdeviceptr_v1, unsigned short, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemsetD32(CUdeviceptr_v1, unsigned int, unsigned int) { return RefuseOldVersion(); }
CUresult cuMemsetD2D8(CUdeviceptr_v1, unsigned int, unsigned char, unsigned int, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemsetD2D16(CUdeviceptr_v1, unsigned int, unsigned short, unsigned int, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuMemsetD2D32(CUdeviceptr_v1, unsigned int, unsigned int, unsigned int, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuArrayCreate(CUarray*, const CUDA_ARRAY_DESCRIPTOR_v1*) { return RefuseOldVersion(); }
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR_v1*, CUarray) { return RefuseOldVersion(); }
CUresult cuArray3DCreate(CUarray*, const CUDA_ARRAY3D_DESCRIPTOR_v1*) { return RefuseOldVersion(); }
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR_v1*, CUarray) { return RefuseOldVersion(); }
CUresult cuTexRefSetAddress(unsigned int*, CUtexref, CUdeviceptr_v1, unsigned int) {
  return RefuseOldVersion();
}
CUresult cuTexRefSetAddress2D(CUtexref, const CUDA_ARRAY_DESCRIPTOR_v1*, CUdeviceptr_v1,
                              unsigned int) {
  return RefuseOldVersion();
}
CUresult cuTexRefGetAddress(CUdeviceptr_v1*, CUtexref) { return RefuseOldVersion(); }

}  // namespace culprit::fakedriver::handlers
