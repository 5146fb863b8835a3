// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/abi/driver_version.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/handlers/handlers.h"

namespace culprit::fakedriver::handlers {

CUresult cuInit(unsigned int Flags) { return Driver::Get().Initialize(Flags); }

CUresult cuDriverGetVersion(int* driverVersion) {
  if (driverVersion == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *driverVersion = kDriverVersion;
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
