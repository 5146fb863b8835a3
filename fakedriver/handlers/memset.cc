// SPDX-License-Identifier: Apache-2.0
//
// Sets of device memory: a value of 1, 2 or 4 bytes over one or more rows. The address must be
// aligned to the value, as measured.
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/copy_operand.h"
#include "fakedriver/handlers/copy_submission.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

struct Rows {
  CUdeviceptr address;
  size_t pitch;
  size_t count;  // elements in a row
  size_t height;
};

CUresult Set(const Rows& rows, uint32_t value, uint32_t element, Stream& stream) {
  if (rows.count == 0 || rows.height == 0) return CUDA_SUCCESS;
  size_t width = 0;
  if (rows.address % element != 0 || __builtin_mul_overflow(rows.count, element, &width)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (rows.height > 1 && (rows.pitch < width || rows.pitch % element != 0)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Transfer transfer{.to = {}, .from = {}, .extent = {width, rows.height, 1}};
  transfer.fill = true;
  transfer.value = value;
  transfer.element = element;
  if (CUresult result = DeviceOperand(rows.address, transfer.extent, {nullptr, rows.pitch, 0},
                                      "dstDevice", &transfer.to);
      result != CUDA_SUCCESS) {
    return result;
  }
  // Sets of device memory do not make the host wait, not even in calls without a stream.
  return Submit(std::move(transfer), stream, HostWait::kAsMeasured);
}

// CUDA driver API, API synchronization behavior: the host waits for sets of host memory only.
CUresult SetOnDefault(const Rows& rows, uint32_t value, uint32_t element) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(nullptr, "", &stream); result != CUDA_SUCCESS) return result;
  if (CUresult result = Set(rows, value, element, *stream)) return result;
  if (!HappensBefore::Follows()) return CUDA_SUCCESS;
  const Ref<Allocation> target = Memory::Get().addresses().Find(rows.address);
  if (target && SynchronizesHost(*target)) {
    HappensBefore& order = HappensBefore::Get();
    order.HostKnows(order.EndOf(*stream));
  }
  return CUDA_SUCCESS;
}

CUresult SetOn(CUstream handle, const Rows& rows, uint32_t value, uint32_t element) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(handle, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  return Set(rows, value, element, *stream);
}

}  // namespace

CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return SetOnDefault({dstDevice, 0, N, 1}, uc, 1);
}
CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return SetOnDefault({dstDevice, 0, N, 1}, us, 2);
}
CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return SetOnDefault({dstDevice, 0, N, 1}, ui, 4);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                         size_t Height) {
  return SetOnDefault({dstDevice, dstPitch, Width, Height}, uc, 1);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                          size_t Height) {
  return SetOnDefault({dstDevice, dstPitch, Width, Height}, us, 2);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                          size_t Height) {
  return SetOnDefault({dstDevice, dstPitch, Width, Height}, ui, 4);
}
CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) {
  return SetOn(hStream, {dstDevice, 0, N, 1}, uc, 1);
}
CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) {
  return SetOn(hStream, {dstDevice, 0, N, 1}, us, 2);
}
CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) {
  return SetOn(hStream, {dstDevice, 0, N, 1}, ui, 4);
}
CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                           size_t Height, CUstream hStream) {
  return SetOn(hStream, {dstDevice, dstPitch, Width, Height}, uc, 1);
}
CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                            size_t Height, CUstream hStream) {
  return SetOn(hStream, {dstDevice, dstPitch, Width, Height}, us, 2);
}
CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, CUstream hStream) {
  return SetOn(hStream, {dstDevice, dstPitch, Width, Height}, ui, 4);
}

}  // namespace culprit::fakedriver::handlers
