// SPDX-License-Identifier: Apache-2.0
//
// A non-blocking stream: it never waits for the legacy stream, so every order it needs is an event.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_STREAM_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_STREAM_H_

#include "reference_impl/resource/owned_handle.h"

namespace culprit::reference {

class Event;

class Stream : public OwnedHandle {
 public:
  Stream() : OwnedHandle("stream") {}

  Status Open(const std::shared_ptr<Context>& context);
  // Waits for the stream's work, then destroys it. A stream that could not be waited for is not
  // destroyed: what it may still touch must stay.
  Status Close();

  Status Synchronize() const;
  Status Wait(const Event& event) const;

  CUstream get() const { return reinterpret_cast<CUstream>(handle()); }

 private:
  Status QuiesceAndDestroy(const Driver& driver, CUstream stream);

  bool quiet_ = false;  // awaited, and given no work since
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_STREAM_H_
