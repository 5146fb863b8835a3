// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/context.h"

#include <cerrno>

namespace culprit::reference {

Status Context::Retain(std::shared_ptr<const Driver> driver, std::shared_ptr<Context>* context) {
  Status initialised = driver->cuInit(0);
  if (!initialised.ok()) return initialised;
  int count = 0;
  Status counted = driver->cuDeviceGetCount(&count);
  if (!counted.ok()) return counted;
  if (count < 1) return HostFailure(-ENODEV, "the driver reports no device");
  CUdevice device = 0;
  Status found = driver->cuDeviceGet(&device, 0);
  if (!found.ok()) return found;
  CUcontext handle = nullptr;
  Status retained = driver->cuDevicePrimaryCtxRetain(&handle, device);
  if (!retained.ok()) return retained;
  context->reset(new Context(std::move(driver), handle, /*retained=*/true));
  (*context)->device_ = device;
  return Status();
}

std::shared_ptr<Context> Context::Borrow(std::shared_ptr<const Driver> driver, CUcontext handle) {
  return std::shared_ptr<Context>(new Context(std::move(driver), handle, /*retained=*/false));
}

Status Context::Release() {
  if (children_ > 0) {
    return ExtractorFailure(-EBUSY,
                            "the context still has " + std::to_string(children_) + " objects");
  }
  if (!retained_) return Status();
  Status released = driver_->cuDevicePrimaryCtxRelease(device_);
  if (released.ok()) retained_ = false;
  return released;
}

}  // namespace culprit::reference
