// SPDX-License-Identifier: Apache-2.0
//
// The whole life of a driver call, in one screen a debugger can step through.
#ifndef FAKEDRIVER_SHIM_CALL_H_
#define FAKEDRIVER_SHIM_CALL_H_

#include <array>

#include "fakedriver/core/before_call.h"
#include "fakedriver/core/gate.h"
#include "fakedriver/core/watching.h"
#include "fakedriver/shim/call_scope.h"
#include "fakedriver/shim/cleared_outputs.h"
#include "fakedriver/shim/watched_call.h"
#include "fakedriver/trace/argument.h"

namespace culprit::fakedriver::shim {

// With faults planned, or calls logged or traced.
template <ApiId Id, auto Handler, typename... Args>
[[gnu::noinline]] CUresult CallWatched(const CallInProgress& call, Args... args) noexcept {
  const std::array<trace::Argument, sizeof...(Args)> arguments{trace::Capture(args)...};
  WatchedCall watched(call, arguments);
  CUresult result;
  if (auto refused = watched.Before(Gate(call.api))) {
    result = *refused;
  } else {
    result = watched.After(ClearOnFailure<Id>(Handler(args...), args...));
  }
  watched.Report(result);
  return result;
}

template <ApiId Id, auto Handler, typename... Args>
[[gnu::always_inline]] inline CUresult Call(Args... args) noexcept {
  if (AnybodyWatches()) AskBeforeCall(Id);
  CallScope scope(Id, __builtin_return_address(0));
  if (AnybodyWatches()) return CallWatched<Id, Handler>(scope.call(), args...);
  const CUresult gate = Gate(Id);
  return ClearOnFailure<Id>(gate == CUDA_SUCCESS ? Handler(args...) : gate, args...);
}

}  // namespace culprit::fakedriver::shim

#endif  // FAKEDRIVER_SHIM_CALL_H_
