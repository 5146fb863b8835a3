// SPDX-License-Identifier: Apache-2.0
//
// Access from one device to another's memory. The fake's devices all reach each other, over a link
// that carries atomics.
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult NeedPeer(CUcontext handle, Context** peer) {
  Liveness liveness;
  *peer = Driver::Get().handles().PeekContext(handle, &liveness);
  if (*peer == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if ((*peer)->alive()) return CUDA_SUCCESS;
  return RefuseHandle(Liveness::kDestroyed, (*peer)->record(), handle, "peerContext", false);
}

CUresult NeedTwoDevices(const void* out, CUdevice one, CUdevice other) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Driver& driver = Driver::Get();
  const bool both = driver.device(one) != nullptr && driver.device(other) != nullptr;
  return both ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace

CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
  if (CUresult result = NeedTwoDevices(canAccessPeer, dev, peerDev)) return result;
  *canAccessPeer = dev == peerDev ? 0 : 1;
  return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context)) return result;
  Context* peer = nullptr;
  if (CUresult result = NeedPeer(peerContext, &peer)) return result;
  if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (&peer->device() == &context->device()) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  return context->AddPeer(peer->serial()) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  Context* context = nullptr;
  if (CUresult result = NeedContext(&context)) return result;
  Context* peer = nullptr;
  if (CUresult result = NeedPeer(peerContext, &peer)) return result;
  return context->RemovePeer(peer->serial()) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                 CUdevice dstDevice) {
  if (CUresult result = NeedTwoDevices(value, srcDevice, dstDevice)) return result;
  if (srcDevice == dstDevice) return CUDA_ERROR_INVALID_DEVICE;
  switch (attrib) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
    case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
      *value = 1;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace culprit::fakedriver::handlers
