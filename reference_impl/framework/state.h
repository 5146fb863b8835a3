// SPDX-License-Identifier: Apache-2.0
//
// Device state: the loaded driver, a context and a stream. A caller makes it, a session imports it,
// once.
//
// Before the import the state owns its parts and state free releases them, as often as it takes.
// The import moves them to the session; what the caller still holds is memory only, which state
// free gives back after the session's close.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_STATE_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_STATE_H_

#include <memory>

#include "reference_impl/resource/context.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {

class DeviceState {
 public:
  // Retains the primary context, or borrows `borrowed` if it is not null. A failure leaves nothing
  // behind.
  static Status Create(CUcontext borrowed, std::shared_ptr<DeviceState>* state);

  // Stream, then context. Retryable; -EBUSY while anything else lives in the context.
  Status Close();

  const std::shared_ptr<Context>& context() const { return context_; }
  const Stream& stream() const { return stream_; }

 private:
  explicit DeviceState(std::shared_ptr<Context> context) : context_(std::move(context)) {}

  std::shared_ptr<Context> context_;
  Stream stream_;
};

// What the caller holds.
class State {
 public:
  explicit State(std::shared_ptr<DeviceState> device) : device_(std::move(device)) {}

  // Moves the device state out. -EINVAL the second time.
  Status Import(std::shared_ptr<DeviceState>* device);

  // Exact zero: the state may be deleted. -EBUSY while the session that imported it has not closed.
  Status Free();

 private:
  std::shared_ptr<DeviceState> device_;  // until the import
  std::weak_ptr<DeviceState> imported_;  // after it
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_STATE_H_
