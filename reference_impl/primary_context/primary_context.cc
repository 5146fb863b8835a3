// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/primary_context/primary_context.h"

namespace culprit::reference {
namespace {

Status RetainPrimaryContext(const Driver& driver, CUcontext* context) {
  Status initialised = driver.cuInit(0);
  if (!initialised.ok()) return initialised;
  CUdevice device = 0;
  Status found = driver.cuDeviceGet(&device, 0);
  if (!found.ok()) return found;
  return driver.cuDevicePrimaryCtxRetain(context, device);
}

}  // namespace

Status BindPrimaryContext(const Driver& driver) {
  CUcontext context = nullptr;
  Status retained = RetainPrimaryContext(driver, &context);
  if (!retained.ok()) return retained;
  return driver.cuCtxSetCurrent(context);
}

Status BorrowedThread::Bind() {
  Status initialised = driver_.cuInit(0);
  if (!initialised.ok()) return initialised;
  Status asked = driver_.cuCtxGetCurrent(&previous_);
  if (!asked.ok()) return asked;
  Status bound = BindPrimaryContext(driver_);
  // A set that reported a failure may have taken effect.
  if (!bound.ok()) static_cast<void>(driver_.cuCtxSetCurrent(previous_));
  return bound;
}

// What was current is the lender's: a set that failed is tried once more, and reported all the
// same.
Status BorrowedThread::Restore() {
  Status restored = driver_.cuCtxSetCurrent(previous_);
  if (!restored.ok()) static_cast<void>(driver_.cuCtxSetCurrent(previous_));
  return restored;
}

}  // namespace culprit::reference
