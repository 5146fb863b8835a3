// SPDX-License-Identifier: Apache-2.0
// Device, host, pitched and managed memory; copies and sets.
#include <sys/mman.h>

#include <cstdlib>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {
namespace {

// Ordinary host memory for copies, zeros at first, for the largest pitch and height that sequences name together.
char* Scratch() {
  constexpr size_t kBytes = size_t{5} << 30;
  static void* const scratch = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (scratch == MAP_FAILED) std::abort();
  return static_cast<char*>(scratch);
}

std::string Bytes(const char* data, size_t count) {
  std::string text = "bytes=";
  static constexpr char kHex[] = "0123456789abcdef";
  for (size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<unsigned char>(data[i]);
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

}  // namespace

void AddMemoryOperations(std::vector<Operation>* out) {
  ATLAS_BIND(cuMemAlloc, "P+ i");
  ATLAS_BIND(cuMemAllocPitch, "P+ i* i i i");
  ATLAS_BIND(cuMemFree, "P!");
  ATLAS_BIND(cuMemGetAddressRange, "P* i* P");
  ATLAS_BIND(cuMemGetInfo, "h* h*");
  ATLAS_BIND(cuMemAllocManaged, "P+ i i");
  ATLAS_BIND(cuMemHostAlloc, "H+ i i");
  ATLAS_BIND(cuMemAllocHost, "H+ i");
  ATLAS_BIND(cuMemFreeHost, "H!");
  ATLAS_BIND(cuMemHostRegister, "H i i");
  ATLAS_BIND(cuMemHostUnregister, "H");
  ATLAS_BIND(cuMemHostGetDevicePointer, "P* H i");
  ATLAS_BIND(cuMemHostGetFlags, "i* H");
  ATLAS_OPERATION("host_memory", "H+ i", {
    void** block = call.Out<void*>(0);
    *block = std::aligned_alloc(4096, (call.Value(1) + 4095) & ~uint64_t{4095});
    std::memset(*block, 0, call.Value(1));
    return CUDA_SUCCESS;
  });
  ATLAS_OPERATION("attribute", "P i", {
    uint64_t value[4] = {Call::kPoison, 0, 0, 0};  // the longest attribute has 16 bytes
    const auto which = call.In<CUpointer_attribute>(1);
    const CUresult result =
        ATLAS_DRIVER(cuPointerGetAttribute)(value, which, call.In<CUdeviceptr>(0));
    const bool comparable =
        which == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || which == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ||
        which == CU_POINTER_ATTRIBUTE_IS_MANAGED || which == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ||
        which == CU_POINTER_ATTRIBUTE_MAPPED;
    const bool byte =
        which == CU_POINTER_ATTRIBUTE_IS_MANAGED || which == CU_POINTER_ATTRIBUTE_MAPPED;
    if (comparable && value[0] != Call::kPoison)
      call.extra = "value=" + std::to_string(byte ? value[0] & 0xff : uint32_t(value[0]));
    return result;
  });
  // Copies between device memory and the scratch block: pointer, bytes.
  ATLAS_OPERATION("upload", "P i", {
    for (int i = 0; i < 256; ++i) Scratch()[i] = static_cast<char>(i);
    return ATLAS_DRIVER(cuMemcpyHtoD)(call.In<CUdeviceptr>(0), Scratch(), call.In<size_t>(1));
  });
  ATLAS_OPERATION("download", "P i", {
    const CUresult result =
        ATLAS_DRIVER(cuMemcpyDtoH)(Scratch(), call.In<CUdeviceptr>(0), call.In<size_t>(1));
    if (result == CUDA_SUCCESS && call.Value(1) <= 32) call.extra = Bytes(Scratch(), call.Value(1));
    return result;
  });
  ATLAS_OPERATION("upload_async", "P i S", {
    return ATLAS_DRIVER(cuMemcpyHtoDAsync)(call.In<CUdeviceptr>(0), Scratch(), call.In<size_t>(1),
                                           call.In<CUstream>(2));
  });
  ATLAS_OPERATION("download_async", "P i S", {
    return ATLAS_DRIVER(cuMemcpyDtoHAsync)(Scratch(), call.In<CUdeviceptr>(0), call.In<size_t>(1),
                                           call.In<CUstream>(2));
  });
  ATLAS_BIND(cuMemcpyDtoD, "P P i");
  ATLAS_BIND(cuMemcpyDtoDAsync, "P P i S");
  ATLAS_BIND(cuMemcpy, "P P i");
  ATLAS_BIND(cuMemcpyAsync, "P P i S");
  ATLAS_BIND(cuMemcpyPeer, "P C P C i");
  ATLAS_BIND(cuMemcpyPeerAsync, "P C P C i S");
  ATLAS_BIND(cuMemsetD8, "P i i");
  ATLAS_BIND(cuMemsetD16, "P i i");
  ATLAS_BIND(cuMemsetD32, "P i i");
  ATLAS_BIND(cuMemsetD8Async, "P i i S");
  ATLAS_BIND(cuMemsetD16Async, "P i i S");
  ATLAS_BIND(cuMemsetD32Async, "P i i S");
  ATLAS_BIND(cuMemsetD2D8, "P i i i i");
  ATLAS_BIND(cuMemsetD2D16, "P i i i i");
  ATLAS_BIND(cuMemsetD2D32, "P i i i i");
  ATLAS_BIND(cuMemsetD2D8Async, "P i i i i S");
  // 2D copy host to device: destination, destination pitch, source pitch, width in bytes, height.
  ATLAS_OPERATION("upload2d", "P i i i i", {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = Scratch();
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = call.In<CUdeviceptr>(0);
    copy.dstPitch = call.In<size_t>(1);
    copy.srcPitch = call.In<size_t>(2);
    copy.WidthInBytes = call.In<size_t>(3);
    copy.Height = call.In<size_t>(4);
    return ATLAS_DRIVER(cuMemcpy2D)(&copy);
  });
  // 2D copy device to device with offsets: destination, source, both pitches, width, height, x and
  // y in the source.
  ATLAS_OPERATION("copy2d", "P P i i i i i i", {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = call.In<CUdeviceptr>(1);
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = call.In<CUdeviceptr>(0);
    copy.dstPitch = call.In<size_t>(2);
    copy.srcPitch = call.In<size_t>(3);
    copy.WidthInBytes = call.In<size_t>(4);
    copy.Height = call.In<size_t>(5);
    copy.srcXInBytes = call.In<size_t>(6);
    copy.srcY = call.In<size_t>(7);
    return ATLAS_DRIVER(cuMemcpy2DUnaligned)(&copy);
  });
}

}  // namespace culprit::atlas
