// SPDX-License-Identifier: Apache-2.0
//
// Misuse of the driver API that was reported in public, each reduced to the calls that show it: it
// is named, and where the report says how the code was put right, the right code is quiet. What a
// library with an owner for every handle can be made to do wrong is a mutant of the reference
// instead (docs/mutants.md).
#ifndef FAKEDRIVER_HANDLERS_TESTING_REPORTED_MISUSE_H_
#define FAKEDRIVER_HANDLERS_TESTING_REPORTED_MISUSE_H_

#include <string>
#include <vector>

#include "fakedriver/control/testing/driver_test.h"

namespace culprit::fakedriver {

class ReportedMisuse : public testing::DriverTest {
 protected:
  ReportedMisuse() { Start(); }

  CUcontext Retain(CUdevice device = 0) {
    CUcontext context = nullptr;
    EXPECT_EQ(cu.cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
    return context;
  }
  CUdeviceptr NewMemory(size_t bytes = 4096) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cu.cuMemAlloc_v2(&memory, bytes), CUDA_SUCCESS);
    return memory;
  }
  std::vector<std::string> RulesAtTheEnd() {
    fake_.EndOfLife();
    return Rules();
  }
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_HANDLERS_TESTING_REPORTED_MISUSE_H_
