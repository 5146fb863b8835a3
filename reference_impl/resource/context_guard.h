// SPDX-License-Identifier: Apache-2.0
//
// Work that needs a context current, and the caller's context put back afterwards whatever
// happened.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_GUARD_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_GUARD_H_

#include <utility>

#include "reference_impl/resource/context.h"

namespace culprit::reference {

// Enter, then Leave exactly if Enter succeeded. On one thread; guards nest.
class ContextGuard {
 public:
  explicit ContextGuard(const Context& context) : context_(context) {}

  // Pushes the context unless it is current already.
  Status Enter();

  // Pops what Enter pushed. A pop that reports a failure may have taken effect: only if this
  // context is still current is it repeated, once. The first failure is reported even if the
  // repetition helped.
  Status Leave();

 private:
  const Context& context_;
  bool pushed_ = false;
};

// Runs `body` (which returns a Status) with the context current. The first failure of entering,
// body and leaving.
template <typename Body>
Status InContext(const Context& context, Body&& body) {
  ContextGuard guard(context);
  Status entered = guard.Enter();
  if (!entered.ok()) return entered;
  Status done = std::forward<Body>(body)();
  Status left = guard.Leave();
  return done.ok() ? left : done;
}

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_GUARD_H_
