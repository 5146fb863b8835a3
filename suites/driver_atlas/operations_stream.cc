// SPDX-License-Identifier: Apache-2.0
// Streams, events and host functions.
#include <unistd.h>

#include <atomic>

#include "suites/driver_atlas/driver.h"
#include "suites/driver_atlas/operations.h"

namespace culprit::atlas {
namespace {

std::atomic<int> g_host_functions{0};

void CUDA_CB Sleep(void* milliseconds) {
  usleep(static_cast<useconds_t>(reinterpret_cast<uintptr_t>(milliseconds)) * 1000);
  ++g_host_functions;
}

void CUDA_CB SleepCallback(CUstream, CUresult, void* milliseconds) { Sleep(milliseconds); }

// A driver call from a host function: what the driver says to it.
std::atomic<int> g_inner_result{-1};
void CUDA_CB CallDriver(void*) {
  CUdeviceptr pointer = 0;
  g_inner_result = ATLAS_DRIVER(cuMemAlloc)(&pointer, 16);
}

}  // namespace

void AddStreamOperations(std::vector<Operation>* out) {
  ATLAS_BIND(cuStreamCreate, "S+ i");
  ATLAS_BIND(cuStreamCreateWithPriority, "S+ i i");
  ATLAS_BIND(cuStreamDestroy, "S!");
  ATLAS_BIND(cuStreamSynchronize, "S");
  ATLAS_BIND(cuStreamQuery, "S");
  ATLAS_BIND(cuStreamGetCtx, "S C*");
  ATLAS_BIND(cuStreamGetFlags, "S i*");
  ATLAS_BIND(cuStreamGetPriority, "S i*");
  ATLAS_BIND(cuStreamGetId, "S h*");
  ATLAS_BIND(cuStreamGetDevice, "S D*");
  ATLAS_BIND(cuStreamWaitEvent, "S E i");
  ATLAS_BIND(cuStreamCopyAttributes, "S S");
  ATLAS_BIND(cuStreamIsCapturing, "S i*");
  ATLAS_BIND(cuStreamWaitValue32, "S P i i");
  ATLAS_BIND(cuStreamWriteValue32, "S P i i");
  ATLAS_BIND(cuStreamWriteValue64, "S P i i");
  ATLAS_BIND(cuStreamAttachMemAsync, "S P i i");
  ATLAS_BIND(cuEventCreate, "E+ i");
  ATLAS_BIND(cuEventDestroy, "E!");
  ATLAS_BIND(cuEventRecord, "E S");
  ATLAS_BIND(cuEventRecordWithFlags, "E S i");
  ATLAS_BIND(cuEventQuery, "E");
  ATLAS_BIND(cuEventSynchronize, "E");
  // Time differs from run to run: only the result and that a time was written.
  ATLAS_OPERATION("cuEventElapsedTime", "h* E E", {
    float milliseconds = -1;
    const CUresult result =
        ATLAS_DRIVER(cuEventElapsedTime)(&milliseconds, call.In<CUevent>(1), call.In<CUevent>(2));
    if (result == CUDA_SUCCESS) call.extra = milliseconds >= 0 ? "time>=0" : "time<0";
    return result;
  });
  // Work that keeps a stream busy for that many milliseconds.
  ATLAS_OPERATION("busy", "S i", {
    return ATLAS_DRIVER(cuLaunchHostFunc)(call.In<CUstream>(0), &Sleep, call.In<void*>(1));
  });
  ATLAS_OPERATION("callback", "S i i", {
    return ATLAS_DRIVER(cuStreamAddCallback)(call.In<CUstream>(0), &SleepCallback,
                                             call.In<void*>(1), call.In<unsigned>(2));
  });
  ATLAS_OPERATION("hostfunc_null", "S", {
    return ATLAS_DRIVER(cuLaunchHostFunc)(call.In<CUstream>(0), nullptr, nullptr);
  });
  // How many host functions and callbacks have ended so far.
  ATLAS_OPERATION("host_functions", "", {
    call.extra = "ended=" + std::to_string(g_host_functions.load());
    return CUDA_SUCCESS;
  });
  ATLAS_OPERATION("call_from_host_function", "S", {
    g_inner_result = -1;
    const CUresult result =
        ATLAS_DRIVER(cuLaunchHostFunc)(call.In<CUstream>(0), &CallDriver, nullptr);
    if (result == CUDA_SUCCESS) ATLAS_DRIVER(cuStreamSynchronize)(call.In<CUstream>(0));
    call.extra = "inner=" + ResultName(static_cast<CUresult>(g_inner_result.load()));
    return result;
  });
  ATLAS_OPERATION("sleep", "i", {
    usleep(static_cast<useconds_t>(call.In<unsigned>(0)) * 1000);
    return CUDA_SUCCESS;
  });
}

}  // namespace culprit::atlas
