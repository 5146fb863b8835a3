// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/owned_handle.h"

#include <string>

#include "reference_impl/resource/context_guard.h"
#include "reference_impl/resource/error_sink.h"

namespace culprit::reference {

OwnedHandle::~OwnedHandle() {
  if (!open()) return;
  error_sink::Record(std::string(kind_) + " destroyed while open");
  context_->RemoveChild();
}

Status OwnedHandle::Adopt(Status created, const std::shared_ptr<Context>& context,
                          std::uintptr_t handle, const ReleaseFunction& release) {
  if (handle == 0) return created;
  context_ = context;
  handle_ = handle;
  context_->AddChild();
  // If the rollback fails as well, the object stays open and its owner's close tries again.
  if (!created.ok()) static_cast<void>(Release(release));
  return created;
}

Status OwnedHandle::Release(const ReleaseFunction& release) {
  if (!open()) return Status();
  return InContext(*context_, [&] {
    Status released = release(context_->driver(), handle_);
    if (released.ok()) {
      handle_ = 0;
      context_->RemoveChild();
    }
    return released;
  });
}

}  // namespace culprit::reference
