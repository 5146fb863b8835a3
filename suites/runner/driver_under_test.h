// SPDX-License-Identifier: Apache-2.0
//
// The driver that the subject is about to call, as this process sees it: opened by its soname, like
// the subject does, and accepted only when what was mapped is the fake (or the interposer), which
// exports the control table.
#ifndef SUITES_RUNNER_DRIVER_UNDER_TEST_H_
#define SUITES_RUNNER_DRIVER_UNDER_TEST_H_

#include <cuda.h>

#include <string>
#include <vector>

#include "fakedriver/control/control.h"
#include "suites/runner/entry_table.h"

namespace culprit::suites {

// The few entries the harness itself calls, always inside a HarnessScope.
struct HarnessEntries {
  CUresult (*cuInit)(unsigned int) = nullptr;
  CUresult (*cuDevicePrimaryCtxRetain)(CUcontext*, CUdevice) = nullptr;
  CUresult (*cuDevicePrimaryCtxRelease)(CUdevice) = nullptr;
  CUresult (*cuCtxCreate)(CUcontext*, unsigned int, CUdevice) = nullptr;
  CUresult (*cuCtxDestroy)(CUcontext) = nullptr;
  CUresult (*cuCtxPushCurrent)(CUcontext) = nullptr;
  CUresult (*cuCtxPopCurrent)(CUcontext*) = nullptr;
  CUresult (*cuCtxGetCurrent)(CUcontext*) = nullptr;
};

class DriverUnderTest {
 public:
  // Throws std::runtime_error, naming what was mapped, when the driver cannot be opened or is not
  // under control.
  static DriverUnderTest Open();

  const culprit_control_table& control() const { return *control_; }
  const HarnessEntries& entries() const { return entries_; }
  const std::string& path() const { return path_; }
  const EntryTable& table() const { return table_; }

  // Paths of every libcuda.so.* mapped into this process; a subject that brought its own shows up
  // here.
  static std::vector<std::string> MappedDrivers();

 private:
  const culprit_control_table* control_ = nullptr;
  HarnessEntries entries_;
  std::string path_;
  EntryTable table_;
};

// Calls of the calling thread are the harness's while it lives: not counted, not faulted.
class HarnessScope {
 public:
  explicit HarnessScope(const culprit_control_table& control) : control_(control) {
    control_.harness_begin();
  }
  ~HarnessScope() { control_.harness_end(); }
  HarnessScope(const HarnessScope&) = delete;
  HarnessScope& operator=(const HarnessScope&) = delete;

 private:
  const culprit_control_table& control_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_DRIVER_UNDER_TEST_H_
