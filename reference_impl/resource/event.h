// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_EVENT_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_EVENT_H_

#include "reference_impl/resource/owned_handle.h"

namespace culprit::reference {

class Stream;

class Event : public OwnedHandle {
 public:
  Event() : OwnedHandle("event") {}

  Status Open(const std::shared_ptr<Context>& context);
  Status Close();

  // Captures what is queued on `stream`, which lives in the same context.
  Status Record(const Stream& stream) const;
  // Waits on the host for what was recorded last; at once if nothing was.
  Status Synchronize() const;

  CUevent get() const { return reinterpret_cast<CUevent>(handle()); }
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_EVENT_H_
