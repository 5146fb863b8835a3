// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/gate.h"

#include "fakedriver/audit/finding.h"
#include "fakedriver/core/capture.h"
#include "fakedriver/core/context_stack.h"
#include "fakedriver/core/driver.h"

namespace culprit::fakedriver {
namespace gate_internal {

std::atomic<uint32_t> trouble{1};
thread_local constinit bool in_callback __attribute__((tls_model("initial-exec"))) = false;

namespace {

// After a device error these go on (measured on driver 580): what only looks at the machine or at
// the calling thread's stack, and what ends a context. Everything else answers the error.
bool SurvivesDeviceError(const ApiInfo& entry) {
  switch (entry.family) {
    case Family::kError:
    case Family::kInit:
    case Family::kDevice:
      return true;
    default:
      break;
  }
  switch (entry.base) {
    case ApiId::cuCtxGetCurrent:
    case ApiId::cuCtxGetDevice:
    case ApiId::cuCtxGetDevice_v2:
    case ApiId::cuCtxGetFlags:
    case ApiId::cuCtxGetId:
    case ApiId::cuCtxGetApiVersion:
    case ApiId::cuCtxPushCurrent:
    case ApiId::cuCtxPushCurrent_v2:
    case ApiId::cuCtxPopCurrent:
    case ApiId::cuCtxPopCurrent_v2:
    case ApiId::cuCtxSetCurrent:
    case ApiId::cuCtxDestroy:
    case ApiId::cuCtxDestroy_v2:
    case ApiId::cuDevicePrimaryCtxRelease:
    case ApiId::cuDevicePrimaryCtxRelease_v2:
    case ApiId::cuDevicePrimaryCtxReset:
    case ApiId::cuDevicePrimaryCtxReset_v2:
    case ApiId::cuDevicePrimaryCtxGetState:
    case ApiId::cuDevicePrimaryCtxSetFlags:
    case ApiId::cuDevicePrimaryCtxSetFlags_v2:
      return true;
    default:
      return false;
  }
}

CUresult AfterDeviceError(const ApiInfo& entry, CUresult error) {
  if (SurvivesDeviceError(entry)) return CUDA_SUCCESS;
  if (entry.needs == Needs::kInitialized) return error;
  const Context* current = CurrentContext();
  return current != nullptr && !current->alive() ? CUDA_ERROR_CONTEXT_IS_DESTROYED : error;
}

// CUDA driver API: calls that may hide a dependency from a capture. Those on streams and events
// decide by themselves, because what they are called with takes part.
bool UnsafeInCapture(const ApiInfo& entry) {
  switch (entry.family) {
    case Family::kMemory:
    case Family::kModule:
    case Family::kLibrary:
      return entry.effect == Effect::kCreates || entry.effect == Effect::kDestroys;
    case Family::kContext:
      return entry.effect == Effect::kWaits || entry.effect == Effect::kDestroys;
    default:
      return false;
  }
}

}  // namespace

CUresult Refuse(ApiId id) {
  const ApiInfo& entry = Info(id);
  Driver& driver = Driver::Get();
  const bool anytime = entry.needs == Needs::kNothing;
  switch (driver.phase()) {
    case Phase::kNotInitialized:
      return anytime ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
    case Phase::kForkedChild:
      if (anytime && entry.base != ApiId::cuInit) return CUDA_SUCCESS;
      audit::Raise(audit::Rule::kApiForkedChild);
      return CUDA_ERROR_NOT_INITIALIZED;
    case Phase::kDeinitialized:
      // As measured, texts of errors included.
      audit::Raise(audit::Rule::kApiAfterShutdown);
      if (entry.effect == Effect::kDestroys) driver.NoteTeardownAfterExit(entry.family);
      return CUDA_ERROR_DEINITIALIZED;
    case Phase::kReady:
      break;
  }
  if (in_callback && !anytime) {
    audit::Raise(audit::Rule::kCallbackCallsDriver);
    return CUDA_ERROR_NOT_PERMITTED;
  }
  if (const CUresult error = driver.sticky_error()) return AfterDeviceError(entry, error);
  return AnyCapture() && UnsafeInCapture(entry) ? RefuseDuringCapture() : CUDA_SUCCESS;
}

}  // namespace gate_internal

void RefreshGate() {
  const Driver& driver = Driver::Get();
  const bool fine =
      driver.phase() == Phase::kReady && driver.sticky_error() == CUDA_SUCCESS && !AnyCapture();
  gate_internal::trouble.store(fine ? 0 : 1, std::memory_order_release);
}

}  // namespace culprit::fakedriver
