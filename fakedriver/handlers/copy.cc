// SPDX-License-Identifier: Apache-2.0
//
// One-dimensional copies, peers included. Which pointers are checked how is measured on driver 580:
// a device pointer must lie in one live allocation to the byte, a host pointer may be anything that
// the process can touch.
#include "fakedriver/core/device.h"
#include "fakedriver/handlers/copy_operand.h"
#include "fakedriver/handlers/copy_submission.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

using OperandOf = CUresult (*)(uint64_t address, const Extent& extent, const char* argument,
                               CopyOperand* operand);

CUresult OnDevice(uint64_t address, const Extent& extent, const char* argument,
                  CopyOperand* operand) {
  return DeviceOperand(address, extent, {}, argument, operand);
}
CUresult OnHost(uint64_t address, const Extent& extent, const char* argument,
                CopyOperand* operand) {
  return HostOperand(reinterpret_cast<const void*>(address), extent, {}, argument, operand);
}
CUresult Anywhere(uint64_t address, const Extent& extent, const char* argument,
                  CopyOperand* operand) {
  return UnifiedOperand(address, extent, {}, argument, operand);
}

struct End {
  uint64_t address;
  OperandOf operand;
  const char* argument;
};

End DeviceEnd(CUdeviceptr pointer, const char* argument) { return {pointer, OnDevice, argument}; }
End HostEnd(const void* pointer, const char* argument) {
  return {reinterpret_cast<uint64_t>(pointer), OnHost, argument};
}
End UnifiedEnd(CUdeviceptr pointer, const char* argument) { return {pointer, Anywhere, argument}; }

CUresult Copy(const End& to, const End& from, size_t bytes, Stream& stream, HostWait wait) {
  if (bytes == 0) return CUDA_SUCCESS;
  Transfer transfer{.to = {}, .from = {}, .extent = {bytes, 1, 1}};
  if (CUresult result = to.operand(to.address, transfer.extent, to.argument, &transfer.to);
      result != CUDA_SUCCESS) {
    return result;
  }
  if (CUresult result = from.operand(from.address, transfer.extent, from.argument, &transfer.from);
      result != CUDA_SUCCESS) {
    return result;
  }
  return Submit(std::move(transfer), stream, wait);
}

// A call without a stream: the default stream of the current context, waited for.
CUresult CopyNow(const End& to, const End& from, size_t bytes) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(nullptr, "", &stream); result != CUDA_SUCCESS) return result;
  return Copy(to, from, bytes, *stream, HostWait::kForCompletion);
}

CUresult CopyOn(CUstream handle, const End& to, const End& from, size_t bytes) {
  Ref<Stream> stream;
  if (CUresult result = NeedStream(handle, "hStream", &stream); result != CUDA_SUCCESS) {
    return result;
  }
  return Copy(to, from, bytes, *stream, HostWait::kAsMeasured);
}

// Both contexts of a peer copy must be alive; null is the current one, as recorded.
CUresult NeedPeers(CUcontext to, CUcontext from) {
  for (CUcontext handle : {to, from}) {
    if (handle == nullptr) continue;
    Liveness liveness = Liveness::kForeign;
    if (Driver::Get().handles().PeekContext(handle, &liveness) == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (liveness != Liveness::kLive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return CopyNow(UnifiedEnd(dst, "dst"), UnifiedEnd(src, "src"), ByteCount);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return CopyNow(DeviceEnd(dstDevice, "dstDevice"), HostEnd(srcHost, "srcHost"), ByteCount);
}

CUresult cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return CopyNow(HostEnd(dstHost, "dstHost"), DeviceEnd(srcDevice, "srcDevice"), ByteCount);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return CopyNow(DeviceEnd(dstDevice, "dstDevice"), DeviceEnd(srcDevice, "srcDevice"), ByteCount);
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                      CUcontext srcContext, size_t ByteCount) {
  if (CUresult result = NeedPeers(dstContext, srcContext); result != CUDA_SUCCESS) return result;
  return CopyNow(DeviceEnd(dstDevice, "dstDevice"), DeviceEnd(srcDevice, "srcDevice"), ByteCount);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return CopyOn(hStream, UnifiedEnd(dst, "dst"), UnifiedEnd(src, "src"), ByteCount);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                              CUstream hStream) {
  return CopyOn(hStream, DeviceEnd(dstDevice, "dstDevice"), HostEnd(srcHost, "srcHost"), ByteCount);
}

CUresult cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                              CUstream hStream) {
  return CopyOn(hStream, HostEnd(dstHost, "dstHost"), DeviceEnd(srcDevice, "srcDevice"), ByteCount);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                              CUstream hStream) {
  return CopyOn(hStream, DeviceEnd(dstDevice, "dstDevice"), DeviceEnd(srcDevice, "srcDevice"),
                ByteCount);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                           CUcontext srcContext, size_t ByteCount, CUstream hStream) {
  if (CUresult result = NeedPeers(dstContext, srcContext); result != CUDA_SUCCESS) return result;
  return CopyOn(hStream, DeviceEnd(dstDevice, "dstDevice"), DeviceEnd(srcDevice, "srcDevice"),
                ByteCount);
}

}  // namespace culprit::fakedriver::handlers
