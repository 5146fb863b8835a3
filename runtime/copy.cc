// SPDX-License-Identifier: Apache-2.0
//
// Copies and fills of the runtime API. The direction chooses the driver's entry; the default
// direction leaves it to the addresses.

#include "runtime/runtime.h"

using namespace culprit::runtime;

namespace {

bool IsDirection(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

CUresult Copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return cuMemcpyHtoD(Address(to), from, bytes);
    case cudaMemcpyDeviceToHost:
      return cuMemcpyDtoH(to, Address(from), bytes);
    case cudaMemcpyDeviceToDevice:
      return cuMemcpyDtoD(Address(to), Address(from), bytes);
    default:
      return cuMemcpy(Address(to), Address(from), bytes);
  }
}

CUresult CopyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                   cudaStream_t stream) {
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return cuMemcpyHtoDAsync(Address(to), from, bytes, stream);
    case cudaMemcpyDeviceToHost:
      return cuMemcpyDtoHAsync(to, Address(from), bytes, stream);
    case cudaMemcpyDeviceToDevice:
      return cuMemcpyDtoDAsync(Address(to), Address(from), bytes, stream);
    default:
      return cuMemcpyAsync(Address(to), Address(from), bytes, stream);
  }
}

CUmemorytype MemoryType(cudaMemcpyKind kind, bool source) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  const bool host = source ? kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice
                           : kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
  return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

CUDA_MEMCPY2D Rectangle(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                        size_t width, size_t height, cudaMemcpyKind kind) {
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = MemoryType(kind, true);
  copy.dstMemoryType = MemoryType(kind, false);
  if (copy.srcMemoryType == CU_MEMORYTYPE_HOST) {
    copy.srcHost = from;
  } else {
    copy.srcDevice = Address(from);
  }
  if (copy.dstMemoryType == CU_MEMORYTYPE_HOST) {
    copy.dstHost = to;
  } else {
    copy.dstDevice = Address(to);
  }
  copy.srcPitch = from_pitch;
  copy.dstPitch = to_pitch;
  copy.WidthInBytes = width;
  copy.Height = height;
  return copy;
}

// Where a part of a variable starts; the part must lie inside it.
cudaError_t PartOf(const void* symbol, size_t bytes, size_t offset, void** address) {
  CUdeviceptr start = 0;
  size_t size = 0;
  if (const cudaError_t error = FindVariable(symbol, &start, &size); error != cudaSuccess) {
    return error;
  }
  if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
  *address = reinterpret_cast<void*>(start + offset);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (!IsDirection(kind)) return Keep(cudaErrorInvalidMemcpyDirection);
  return InContext([&] { return Copy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (!IsDirection(kind)) return Keep(cudaErrorInvalidMemcpyDirection);
  return InContext([&] { return CopyAsync(to, from, bytes, kind, stream); });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  if (!IsDirection(kind)) return Keep(cudaErrorInvalidMemcpyDirection);
  const CUDA_MEMCPY2D copy = Rectangle(to, to_pitch, from, from_pitch, width, height, kind);
  return InContext([&] { return cuMemcpy2DUnaligned(&copy); });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (!IsDirection(kind)) return Keep(cudaErrorInvalidMemcpyDirection);
  const CUDA_MEMCPY2D copy = Rectangle(to, to_pitch, from, from_pitch, width, height, kind);
  return InContext([&] { return cuMemcpy2DAsync(&copy, stream); });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return InContext(
      [&] { return cuMemsetD8(Address(to), static_cast<unsigned char>(value), bytes); });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return InContext([&] {
    return cuMemsetD8Async(Address(to), static_cast<unsigned char>(value), bytes, stream);
  });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return InContext([&] {
    return cuMemsetD2D8(Address(to), pitch, static_cast<unsigned char>(value), width, height);
  });
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return InContext([&] {
    return cuMemsetD2D8Async(Address(to), pitch, static_cast<unsigned char>(value), width, height,
                             stream);
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  void* to = nullptr;
  if (const cudaError_t error = PartOf(symbol, bytes, offset, &to); error != cudaSuccess) {
    return Keep(error);
  }
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  void* to = nullptr;
  if (const cudaError_t error = PartOf(symbol, bytes, offset, &to); error != cudaSuccess) {
    return Keep(error);
  }
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  void* from = nullptr;
  if (const cudaError_t error = PartOf(symbol, bytes, offset, &from); error != cudaSuccess) {
    return Keep(error);
  }
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  void* from = nullptr;
  if (const cudaError_t error = PartOf(symbol, bytes, offset, &from); error != cudaSuccess) {
    return Keep(error);
  }
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  if (address == nullptr) return Keep(cudaErrorInvalidValue);
  return Keep(PartOf(symbol, 0, 0, address));
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  if (bytes == nullptr) return Keep(cudaErrorInvalidValue);
  CUdeviceptr address = 0;
  return Keep(FindVariable(symbol, &address, bytes));
}
