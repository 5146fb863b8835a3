// SPDX-License-Identifier: Apache-2.0
//
// The teardown rule, once: a device object is released in its owner's context, and its handle is
// forgotten only after the release succeeded. Stream, Event, Buffer, PinnedBuffer and Module are
// this rule with a way to create and to release.
//
// Objects are opened in place and not made by a factory: when a creation half-succeeds and its
// rollback fails too, the handle still has an owner that can be closed again.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_OWNED_HANDLE_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_OWNED_HANDLE_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "reference_impl/resource/context.h"

namespace culprit::reference {

class OwnedHandle {
 public:
  explicit OwnedHandle(const char* kind) : kind_(kind) {}
  // Does not release: a destructor could not report a failure. An object that is still open goes to
  // the error sink.
  ~OwnedHandle();
  OwnedHandle(const OwnedHandle&) = delete;
  OwnedHandle& operator=(const OwnedHandle&) = delete;

  bool open() const { return handle_ != 0; }
  // Only while open.
  const Context& context() const { return *context_; }
  const Driver& driver() const { return context_->driver(); }

 protected:
  using ReleaseFunction = std::function<Status(const Driver& driver, std::uintptr_t handle)>;

  // Ends every Open: takes over what the driver made, also when a later step of the creation
  // failed, and then releases it again. Returns `created`.
  Status Adopt(Status created, const std::shared_ptr<Context>& context, std::uintptr_t handle,
               const ReleaseFunction& release);
  // Nothing to do when not open, so that a retry touches only what is left.
  Status Release(const ReleaseFunction& release);

  std::uintptr_t handle() const { return handle_; }

 private:
  const char* kind_;
  std::shared_ptr<Context> context_;
  std::uintptr_t handle_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_OWNED_HANDLE_H_
