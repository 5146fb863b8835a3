// SPDX-License-Identifier: Apache-2.0
//
// The whole life of a driver call, in one screen a debugger can step through.
#ifndef FAKEDRIVER_SHIM_CALL_H_
#define FAKEDRIVER_SHIM_CALL_H_

#include <array>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/gate.h"
#include "fakedriver/core/watching.h"
#include "fakedriver/shim/watched_call.h"
#include "fakedriver/trace/argument.h"

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
      auto& count = thread_.counts[static_cast<size_t>(id)];
      call_.nth = count.load(std::memory_order_relaxed) + 1;
      count.store(call_.nth, std::memory_order_relaxed);
      call_.sequence =
          calling_thread_internal::last_sequence.fetch_add(1, std::memory_order_relaxed) + 1;
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

// With faults planned, or calls logged or traced.
template <auto Handler, typename... Args>
[[gnu::noinline]] CUresult CallWatched(const CallInProgress& call, Args... args) noexcept {
  const std::array<trace::Argument, sizeof...(Args)> arguments{trace::Capture(args)...};
  WatchedCall watched(call, arguments);
  CUresult result;
  if (auto refused = watched.Before(Gate(call.api))) {
    result = *refused;
  } else {
    result = watched.After(Handler(args...));
  }
  watched.Report(result);
  return result;
}

template <ApiId Id, auto Handler, typename... Args>
[[gnu::always_inline]] inline CUresult Call(Args... args) noexcept {
  CallScope scope(Id, __builtin_return_address(0));
  if (AnybodyWatches()) return CallWatched<Handler>(scope.call(), args...);
  const CUresult gate = Gate(Id);
  return gate == CUDA_SUCCESS ? Handler(args...) : gate;
}

}  // namespace culprit::fakedriver::shim

#endif  // FAKEDRIVER_SHIM_CALL_H_
