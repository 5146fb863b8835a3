// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/handlers.h"
#include "fakedriver/handlers/resolve.h"

namespace culprit::fakedriver::handlers {

// CUDA driver API: no longer supported since 12.0.
CUresult cuProfilerInitialize(const char*, const char*, CUoutput_mode) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

// Without a profiler attached these do nothing.
CUresult cuProfilerStart() {
  Context* context = nullptr;
  return NeedContext(&context);
}
CUresult cuProfilerStop() {
  Context* context = nullptr;
  return NeedContext(&context);
}

}  // namespace culprit::fakedriver::handlers
