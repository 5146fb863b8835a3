// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {

Status ContextGuard::Enter() {
  CUcontext current = nullptr;
  Status asked = context_.driver().cuCtxGetCurrent(&current);
  if (!asked.ok()) return asked;
  // Never two levels of the same context: after a failed pop, "still current" then has one meaning
  // only.
  if (current == context_.handle()) return Status();
  Status pushed = context_.driver().cuCtxPushCurrent(context_.handle());
  pushed_ = pushed.ok();
  return pushed;
}

Status ContextGuard::Leave() {
  if (!pushed_) return Status();
  pushed_ = false;
  const Driver& driver = context_.driver();
  CUcontext popped = nullptr;
  Status first = driver.cuCtxPopCurrent(&popped);
  if (first.ok()) return first;

  CUcontext current = nullptr;
  const bool still_current = driver.cuCtxGetCurrent(&current).ok() && current == context_.handle();
  if (still_current) {
    // culprit: allow(result-ignored): a second failure would only hide the first; what remains
    // current is in the first one's report.
    static_cast<void>(driver.cuCtxPopCurrent(&popped));
  }
  return first;
}

Status RunInContext(const Context& context, Status (*body)(void* argument), void* argument) {
  ContextGuard guard(context);
  Status entered = guard.Enter();
  if (!entered.ok()) return entered;
  Status done = body(argument);
  Status left = guard.Leave();
  return done.ok() ? left : done;
}

}  // namespace culprit::reference
