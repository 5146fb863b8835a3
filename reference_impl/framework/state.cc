// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/state.h"

#include <cerrno>

#include "reference_impl/resource/error_sink.h"

namespace culprit::reference {

Status DeviceState::Create(CUcontext borrowed, std::shared_ptr<DeviceState>* state) {
  std::shared_ptr<const Driver> driver;
  Status loaded = Driver::Load(&driver);
  if (!loaded.ok()) return loaded;

  std::shared_ptr<Context> context;
  if (borrowed != nullptr) {
    context = Context::Borrow(driver, borrowed);
  } else {
    Status retained = Context::Retain(driver, &context);
    if (!retained.ok()) return retained;
  }
  std::shared_ptr<DeviceState> made(new DeviceState(std::move(context)));
  Status opened = made->stream_.Open(made->context_);
  if (!opened.ok()) {
    Status rolled_back = made->Close();
    if (!rolled_back.ok()) error_sink::Record("state rollback: " + rolled_back.error().message);
    return opened;
  }
  *state = std::move(made);
  return Status();
}

Status DeviceState::Close() {
  Status quiet = stream_.Close();
  if (!quiet.ok()) return quiet;
  return context_->Release();
}

Status State::Import(std::shared_ptr<DeviceState>* device) {
  if (device_ == nullptr) return ExtractorFailure(-EINVAL, "the state has been imported already");
  imported_ = device_;
  *device = std::move(device_);
  return Status();
}

Status State::Free() {
  if (device_ != nullptr) {
    Status closed = device_->Close();
    if (closed.ok()) device_.reset();
    return closed;
  }
  if (!imported_.expired()) {
    return ExtractorFailure(-EBUSY, "the session that imported the state is still open");
  }
  return Status();
}

}  // namespace culprit::reference
