// SPDX-License-Identifier: Apache-2.0
//
// Work that needs a context current, and the caller's context put back afterwards whatever
// happened.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_GUARD_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_GUARD_H_

#include <type_traits>

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

// Runs `body` with the context current. The first failure of entering, body and leaving.
Status RunInContext(const Context& context, Status (*body)(void* argument), void* argument);

// The same for anything callable that returns a Status.
template <typename Body>
Status InContext(const Context& context, Body&& body) {
  using Callable = std::remove_reference_t<Body>;
  return RunInContext(
      context, [](void* callable) { return (*static_cast<Callable*>(callable))(); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_CONTEXT_GUARD_H_
