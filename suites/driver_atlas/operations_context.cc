// SPDX-License-Identifier: Apache-2.0
// Initialisation, devices, contexts and primary contexts.
#include <unistd.h>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

// Deprecated entries are asked too: clients still call them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace culprit::atlas {

void AddContextOperations(std::vector<Operation>* out) {
  ATLAS_OPERATION("init", "", {
    (void)call;
    return ATLAS_DRIVER(cuInit)(0);
  });
  // init, retain device 0's primary context and make it current: the usual beginning.
  ATLAS_OPERATION("primary", "C*", {
    CUcontext* context = call.Out<CUcontext>(0);
    CUresult result = ATLAS_DRIVER(cuInit)(0);
    if (result == CUDA_SUCCESS) result = ATLAS_DRIVER(cuDevicePrimaryCtxRetain)(context, 0);
    if (result == CUDA_SUCCESS) result = ATLAS_DRIVER(cuCtxSetCurrent)(*context);
    return result;
  });
  // A context of its own on device i, with flags.
  ATLAS_OPERATION("context", "C+ i i", {
    auto create = reinterpret_cast<CUresult (*)(CUcontext*, unsigned, CUdevice)>(
        DriverSymbol("cuCtxCreate_v2"));
    return create(call.Out<CUcontext>(0), call.In<unsigned>(1), call.In<int>(2));
  });
  ATLAS_BIND(cuInit, "i");
  ATLAS_BIND(cuDriverGetVersion, "i*");
  ATLAS_BIND(cuDeviceGet, "D* i");
  ATLAS_BIND(cuDeviceGetCount, "h*");
  ATLAS_BIND(cuDeviceTotalMem, "h* i");
  ATLAS_BIND(cuDeviceGetAttribute, "i* i i");
  ATLAS_BIND(cuDeviceCanAccessPeer, "i* i i");
  ATLAS_BIND(cuDeviceGetDefaultMemPool, "L* i");
  ATLAS_BIND(cuDeviceGetMemPool, "L* i");
  ATLAS_BIND(cuDeviceSetMemPool, "i L");
  ATLAS_BIND(cuDevicePrimaryCtxRetain, "C* i");
  ATLAS_BIND(cuDevicePrimaryCtxRelease, "i");
  ATLAS_BIND(cuDevicePrimaryCtxReset, "i");
  ATLAS_BIND(cuDevicePrimaryCtxSetFlags, "i i");
  ATLAS_BIND(cuDevicePrimaryCtxGetState, "i i* i*");
  ATLAS_BIND(cuCtxDestroy, "C!");
  ATLAS_BIND(cuCtxPushCurrent, "C");
  ATLAS_BIND(cuCtxPopCurrent, "C*");
  ATLAS_BIND(cuCtxSetCurrent, "C");
  ATLAS_BIND(cuCtxGetCurrent, "C*");
  ATLAS_BIND(cuCtxGetDevice, "D*");
  ATLAS_BIND(cuCtxGetFlags, "i*");
  ATLAS_BIND(cuCtxSetFlags, "i");
  ATLAS_BIND(cuCtxGetId, "C h*");
  ATLAS_BIND(cuCtxGetApiVersion, "C i*");
  ATLAS_BIND(cuCtxSetLimit, "i i");
  ATLAS_BIND(cuCtxGetLimit, "i* i");
  ATLAS_BIND(cuCtxGetCacheConfig, "i*");
  ATLAS_BIND(cuCtxSetCacheConfig, "i");
  ATLAS_BIND(cuCtxGetStreamPriorityRange, "i* i*");
  ATLAS_BIND(cuCtxGetSharedMemConfig, "i*");
  ATLAS_BIND(cuCtxSetSharedMemConfig, "i");
  ATLAS_BIND(cuCtxResetPersistingL2Cache, "");
  ATLAS_BIND(cuCtxGetExecAffinity, "h* i");
  ATLAS_OPERATION("cuCtxSynchronize", "", {
    (void)call;
    return reinterpret_cast<CUresult (*)()>(DriverSymbol("cuCtxSynchronize"))();
  });
  ATLAS_BIND(cuCtxRecordEvent, "C E");
  ATLAS_BIND(cuCtxWaitEvent, "C E");
  ATLAS_BIND(cuCtxEnablePeerAccess, "C i");
  ATLAS_BIND(cuCtxDisablePeerAccess, "C");
  ATLAS_BIND(cuCtxAttach, "C* i");
  ATLAS_BIND(cuCtxDetach, "C");
  ATLAS_BIND(cuGetErrorName, "i h*");
  // A name and a version asked of cuGetProcAddress; answers the status and whether a pointer came.
  ATLAS_OPERATION("resolve", "t i i", {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    const CUresult result = ATLAS_DRIVER(cuGetProcAddress)(
        call.In<const char*>(0), &function, call.In<int>(1), call.In<cuuint64_t>(2), &status);
    call.extra =
        "found=" + std::to_string(function != nullptr) + " status=" + std::to_string(status);
    return result;
  });
}

}  // namespace culprit::atlas
