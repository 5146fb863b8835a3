// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stress/driver/driver.h"

namespace culprit::stress {

// Runs `body` with `context` current on this thread and puts the caller's back. The first failure
// is returned; the pop is tried whatever the body came to.
template <typename Body>
Outcome InContext(const Driver& driver, CUcontext context, Body body) {
  if (Outcome pushed = driver.cuCtxPushCurrent(context); !pushed.ok()) return pushed;
  Outcome outcome = body();
  CUcontext popped = nullptr;
  Outcome left = driver.cuCtxPopCurrent(&popped);
  return outcome.ok() ? left : outcome;
}

}  // namespace culprit::stress
