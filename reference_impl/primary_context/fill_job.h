// SPDX-License-Identifier: Apache-2.0
//
// One piece of device work in steps that may each run on another thread: a service's workers load
// and launch, a blocking pool waits. Every step binds the primary context first and uses plain
// driver calls, as code does that relies on the binding.
#ifndef CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_FILL_JOB_H_
#define CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_FILL_JOB_H_

#include <memory>

#include "reference_impl/driver/driver.h"

namespace culprit::reference {

class FillJob {
 public:
  static constexpr int kCount = 256;

  FillJob(const Driver& driver, unsigned value) : driver_(driver), value_(value) {}

  Status Load();
  Status Launch();
  Status Synchronize();
  // -EIO if the device did not write what it was asked to.
  Status Check();
  // Gives back what the steps made; a retry touches what is left.
  Status Unload();
  bool unloaded() const;

 private:
  const Driver& driver_;
  unsigned value_;
  CUstream stream_ = nullptr;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  CUdeviceptr device_ = 0;
  void* host_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_FILL_JOB_H_
