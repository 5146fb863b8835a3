// SPDX-License-Identifier: Apache-2.0
//
// The context in which everything of one device state lives: device 0's primary context, retained,
// or a caller's, borrowed. Everything made in it holds it, and it refuses to be released while any
// of that is left.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_H_

#include <atomic>
#include <memory>

#include "reference_impl/driver/driver.h"

namespace culprit::reference {

class Context {
 public:
  // Initialises the driver and retains the primary context of device 0.
  static Status Retain(std::shared_ptr<const Driver> driver, std::shared_ptr<Context>* context);
  // Uses a context that the caller owns and keeps alive until Release.
  static std::shared_ptr<Context> Borrow(std::shared_ptr<const Driver> driver, CUcontext handle);

  // Gives the retain back. -EBUSY while objects live in the context; after a failure it may be
  // called again; once it succeeded it does nothing.
  Status Release();

  const Driver& driver() const { return *driver_; }
  CUcontext handle() const { return handle_; }

  void AddChild() { ++children_; }
  void RemoveChild() { --children_; }

 private:
  Context(std::shared_ptr<const Driver> driver, CUcontext handle, bool retained)
      : driver_(std::move(driver)), handle_(handle), retained_(retained) {}

  std::shared_ptr<const Driver> driver_;
  CUcontext handle_;
  CUdevice device_ = 0;
  bool retained_;
  std::atomic<int> children_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_H_
