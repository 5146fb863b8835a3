// SPDX-License-Identifier: Apache-2.0
//
// Device 0's primary context for a process with many threads, none of which can know what the
// others did to it.
//
// A current context belongs to one thread, so every entry binds it again. And every entry retains
// it afresh: another owner may have released once too often or reset the device, and a handle kept
// from earlier would then name a context that is gone, which making it current does not tell. A
// fresh retain always answers the live one. The count only grows; it is never given back, so that
// the context outlives every thread. That is declared as a lifetime of this subject.
#ifndef CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_PRIMARY_CONTEXT_H_
#define CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_PRIMARY_CONTEXT_H_

#include <memory>

#include "reference_impl/driver/driver.h"

namespace culprit::reference {

// Makes the primary context live and current on the calling thread. Any thread, any time.
Status BindPrimaryContext(const Driver& driver);

// A thread that is not the service's own: what was current there is put back.
class BorrowedThread {
 public:
  explicit BorrowedThread(const Driver& driver) : driver_(driver) {}

  Status Bind();
  // Exactly once after a Bind that succeeded.
  Status Restore();

 private:
  const Driver& driver_;
  CUcontext previous_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_PRIMARY_CONTEXT_PRIMARY_CONTEXT_H_
