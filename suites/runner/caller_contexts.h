// SPDX-License-Identifier: Apache-2.0
//
// What is current on the calling thread around every call into the port, and the proof that it
// still is afterwards.
#ifndef SUITES_RUNNER_CALLER_CONTEXTS_H_
#define SUITES_RUNNER_CALLER_CONTEXTS_H_

#include <string>

#include "suites/runner/driver_under_test.h"
#include "suites/runner/settings.h"

namespace culprit::suites {

// Of one thread, at one moment.
struct ContextStack {
  uint32_t depth = 0;
  void* current = nullptr;

  bool operator==(const ContextStack&) const = default;
};

class CallerContexts {
 public:
  // Makes, as the harness, the contexts that the settings need; none at all when nothing is current
  // and the port retains its own, so that a subject which forgets cuInit is not helped. Throws
  // std::runtime_error when the driver refuses.
  CallerContexts(const DriverUnderTest& driver, const Settings& settings);
  ~CallerContexts();
  CallerContexts(const CallerContexts&) = delete;
  CallerContexts& operator=(const CallerContexts&) = delete;

  // For state_init; NULL when the port is to retain the primary context.
  void* given() const { return state_ == StateContext::kGiven ? owner_ : nullptr; }

  // Around one call, on the thread that makes it. Enter pushes the caller's context and says what
  // the call finds; Leave says what it left and brings the stack back to where Enter found it.
  ContextStack Enter();
  ContextStack Leave(const ContextStack& entered);

 private:
  ContextStack Now() const;

  const DriverUnderTest& driver_;
  StateContext state_;
  CUcontext owner_ = nullptr;
  bool retained_ = false;  // owner_ is the primary context
  CUcontext foreign_ = nullptr;
  CUcontext current_ = nullptr;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CALLER_CONTEXTS_H_
