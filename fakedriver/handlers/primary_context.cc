// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/audit/finding.h"
#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/context_flags.h"
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/reclaimed.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {
namespace {

CUresult Release(CUdevice dev) {
  Device* device = Driver::Get().device(dev);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  std::vector<ObjectRecord> reclaimed;
  if (!device->Release(&reclaimed)) {
    audit::Raise(audit::Rule::kPrimaryOverRelease, {.object = "device " + std::to_string(dev)});
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  ReportReclaimed(reclaimed);
  Context& primary = device->primary();
  if (!primary.alive() && CurrentContext() == &primary) {
    audit::Raise(audit::Rule::kPrimaryReleasedWhileCurrent,
                 {.object = Describe(primary.record()), .handle = primary.handle()});
  }
  return CUDA_SUCCESS;
}

CUresult Reset(CUdevice dev) {
  Device* device = Driver::Get().device(dev);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  std::vector<ObjectRecord> reclaimed;
  device->ResetPrimary(&reclaimed);
  ReportReclaimed(reclaimed);
  return CUDA_SUCCESS;
}

CUresult SetFlags(CUdevice dev, unsigned flags) {
  Device* device = Driver::Get().device(dev);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (!AreContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
  device->SetPrimaryFlags(flags);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Device* device = Driver::Get().device(dev);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  device->Retain();
  *pctx = reinterpret_cast<CUcontext>(device->primary().handle());
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev) { return Release(dev); }
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) { return Release(dev); }
CUresult cuDevicePrimaryCtxReset(CUdevice dev) { return Reset(dev); }
CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) { return Reset(dev); }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  return SetFlags(dev, flags);
}
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  return SetFlags(dev, flags);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Device* device = Driver::Get().device(dev);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *flags = device->primary_flags();
  *active = device->primary().alive() ? 1 : 0;
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
