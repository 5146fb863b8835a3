// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_SHIM_CALL_SCOPE_H_
#define FAKEDRIVER_SHIM_CALL_SCOPE_H_

#include "fakedriver/core/calling_thread.h"

namespace culprit::fakedriver::shim {

// Marks the calling thread as inside a call, numbers the call and counts it.
class CallScope {
 public:
  CallScope(ApiId id, const void* return_address) noexcept : thread_(ThisThread()) {
    call_.api = id;
    call_.return_address = return_address;
    call_.harness = thread_.harness_depth != 0;
    call_.sequence = 0;
    call_.nth = 0;
    if (!call_.harness) [[likely]] {
      call_.sequence =
          calling_thread_internal::last_sequence.fetch_add(1, std::memory_order_relaxed) + 1;
      // After the count of all entries: who reads this one, then that, never sees a part that is
      // more than the whole.
      auto& count = thread_.counts[static_cast<size_t>(id)];
      call_.nth = count.load(std::memory_order_relaxed) + 1;
      count.store(call_.nth, std::memory_order_release);
    }
    call_.outer = thread_.call;
    thread_.call = &call_;
  }
  ~CallScope() { thread_.call = call_.outer; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  const CallInProgress& call() const { return call_; }

 private:
  CallingThread& thread_;
  CallInProgress call_;
};

}  // namespace culprit::fakedriver::shim

#endif  // FAKEDRIVER_SHIM_CALL_SCOPE_H_
