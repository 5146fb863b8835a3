// SPDX-License-Identifier: Apache-2.0
//
// Memory of the runtime API: what is allocated and given back, and what a pointer is.
#include <array>

#include "runtime/runtime.h"

using namespace culprit::runtime;

namespace {

// Where nothing is wanted, nothing is allocated: the runtime answers success and a null pointer.
template <typename Allocate>
cudaError_t AllocateInto(void** pointer, bool wanted, Allocate allocate) {
  return InContext([&] {
    if (pointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUdeviceptr address = 0;
    const CUresult result = wanted ? allocate(&address) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) *pointer = reinterpret_cast<void*>(address);
    return result;
  });
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return AllocateInto(pointer, bytes != 0,
                      [&](CUdeviceptr* address) { return cuMemAlloc(address, bytes); });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return AllocateInto(pointer, bytes != 0, [&](CUdeviceptr* address) {
    return cuMemAllocManaged(address, bytes, flags);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return AllocateInto(pointer, width != 0 && height != 0, [&](CUdeviceptr* address) {
    return cuMemAllocPitch(address, pitch, width, height, 4);
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return InContext([&] { return cuMemAllocHost(pointer, bytes); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return InContext([&] { return cuMemHostAlloc(pointer, bytes, flags); });
}

cudaError_t cudaFree(void* pointer) {
  return InContext([&] { return pointer == nullptr ? CUDA_SUCCESS : cuMemFree(Address(pointer)); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return InContext([&] { return pointer == nullptr ? CUDA_SUCCESS : cuMemFreeHost(pointer); });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return InContext([&] { return cuMemHostRegister(pointer, bytes, flags); });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return InContext([&] { return cuMemHostUnregister(pointer); });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return InContext([&] {
    return cuMemHostGetDevicePointer(reinterpret_cast<CUdeviceptr*>(device), host, flags);
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return InContext([&] { return cuMemHostGetFlags(flags, host); });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return InContext([&] { return cuMemGetInfo(free, total); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return AllocateInto(pointer, bytes != 0, [&](CUdeviceptr* address) {
    return cuMemAllocAsync(address, bytes, stream);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return AllocateInto(pointer, bytes != 0, [&](CUdeviceptr* address) {
    return cuMemAllocFromPoolAsync(address, bytes, pool, stream);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return InContext([&] { return cuMemFreeAsync(Address(pointer), stream); });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return InContext([&] { return cuDeviceGetDefaultMemPool(pool, device); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return InContext([&] { return cuDeviceGetMemPool(pool, device); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return InContext([&] { return cuDeviceSetMemPool(device, pool); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps));
  return InContext(
      [&] { return cuMemPoolCreate(pool, reinterpret_cast<const CUmemPoolProps*>(properties)); });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return InContext([&] { return cuMemPoolDestroy(pool); });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) {
  return InContext([&] { return cuMemPoolTrimTo(pool, kept); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return InContext([&] {
    return cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return InContext([&] {
    return cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return Keep(cudaErrorInvalidValue);
  return InContext([&] {
    unsigned type = 0;
    int managed = 0;
    int device = 0;
    void* on_device = nullptr;
    void* on_host = nullptr;
    std::array asked = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                        CU_POINTER_ATTRIBUTE_HOST_POINTER};
    std::array<void*, asked.size()> answers = {&type, &managed, &device, &on_device, &on_host};
    const CUresult result =
        cuPointerGetAttributes(asked.size(), asked.data(), answers.data(), Address(pointer));
    if (result != CUDA_SUCCESS) return result;
    *attributes = {};
    if (type == 0) {  // memory that the driver does not know
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = const_cast<void*>(pointer);
      return CUDA_SUCCESS;
    }
    attributes->type = managed != 0                 ? cudaMemoryTypeManaged
                       : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                                    : cudaMemoryTypeDevice;
    attributes->device = device;
    attributes->devicePointer = on_device;
    attributes->hostPointer = on_host;
    return CUDA_SUCCESS;
  });
}
