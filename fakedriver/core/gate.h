// SPDX-License-Identifier: Apache-2.0
//
// What no handler needs to see: calls before cuInit, in a forked child, at exit, from a callback,
// or after a device error. One relaxed load and one thread-local byte when nothing is wrong.
#ifndef FAKEDRIVER_CORE_GATE_H_
#define FAKEDRIVER_CORE_GATE_H_

#include <atomic>
#include <cstdint>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver {

namespace gate_internal {
// Zero: initialised, not forked, not exiting, no device error.
extern std::atomic<uint32_t> trouble;
extern thread_local constinit bool in_callback __attribute__((tls_model("initial-exec")));
CUresult Refuse(ApiId id);
}  // namespace gate_internal

// Says which trouble there is, after any of the things that the gate watches changed.
void RefreshGate();

// Success, or the result with which the call is refused.
inline CUresult Gate(ApiId id) {
  if (gate_internal::trouble.load(std::memory_order_acquire) == 0 && !gate_internal::in_callback) {
    return CUDA_SUCCESS;
  }
  return gate_internal::Refuse(id);
}

// The calling thread runs a callback of the program (host function, stream callback, user object
// destructor) while one of these lives: it must not call the driver.
class CallbackScope {
 public:
  CallbackScope() : before_(gate_internal::in_callback) { gate_internal::in_callback = true; }
  ~CallbackScope() { gate_internal::in_callback = before_; }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

 private:
  const bool before_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_GATE_H_
