// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/shim/watched_call.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "fakedriver/control/unattended.h"
#include "fakedriver/core/injection.h"
#include "fakedriver/core/inspect.h"
#include "fakedriver/core/watching.h"
#include "fakedriver/trace/call_log.h"
#include "fakedriver/trace/trace_file.h"

namespace culprit::fakedriver::shim {

WatchedCall::WatchedCall(const CallInProgress& call, std::span<const trace::Argument> arguments)
    : call_(call), arguments_(arguments), thread_(ThisThread().ordinal) {
  if (Watches(Watcher::kTrace)) begin_ = std::chrono::steady_clock::now();
}

std::optional<CUresult> WatchedCall::Before(CUresult gate) {
  if (Watches(Watcher::kFaults) && !call_.harness) {
    decision_ = fault::Decide(call_, thread_, gate == CUDA_SUCCESS);
  }
  if (decision_.kill) {
    control::ReportBeforeKill();
    kill(getpid(), SIGKILL);
  }
  if (decision_.block != 0) {
    control::AnnounceBlock(call_, decision_.block);
    fault::WaitUntilLifted(decision_.block);
  }
  if (decision_.delay.count() != 0) std::this_thread::sleep_for(decision_.delay);
  if (decision_.before) {
    if (decision_.lose_contexts) LoseContexts(*decision_.lose_contexts);
    return decision_.before;
  }
  if (gate != CUDA_SUCCESS) return gate;
  if (decision_.after) SaveOutputs();
  return std::nullopt;
}

CUresult WatchedCall::After(CUresult result) {
  if (!decision_.after) return result;
  // CUDA_ERROR_NOT_READY is an answer. Any other failure of the handler means that there is no
  // effect to hide.
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY) {
    fault::TakeBack(decision_.fault);
    return result;
  }
  RestoreOutputs();
  EffectHidden(call_);
  if (decision_.lose_contexts) LoseContexts(*decision_.lose_contexts);
  return *decision_.after;
}

void WatchedCall::Report(CUresult result) const {
  if (Watches(Watcher::kCallLog) && !call_.harness) {
    trace::Log({call_.sequence, thread_, call_.api, call_.nth, result, decision_.fault});
    trace::LogStack(call_, decision_.fault != 0);
  }
  if (!Watches(Watcher::kTrace)) return;
  trace::Write({.call = &call_,
                .thread = thread_,
                .arguments = arguments_,
                .result = result,
                .context = CurrentContextHandle(),
                .depth = ContextStackDepth(),
                .fault = decision_.fault,
                .begin = begin_,
                .end = std::chrono::steady_clock::now()});
}

void WatchedCall::SaveOutputs() {
  for (const trace::Argument& argument : arguments_) {
    if (argument.pointee_bytes == 0 || argument.bits == 0) continue;
    const auto* from = static_cast<const std::byte*>(argument.pointee());
    outputs_.insert(outputs_.end(), from, from + argument.pointee_bytes);
  }
}

void WatchedCall::RestoreOutputs() const {
  const std::byte* from = outputs_.data();
  for (const trace::Argument& argument : arguments_) {
    if (argument.pointee_bytes == 0 || argument.bits == 0) continue;
    std::memcpy(argument.pointee(), from, argument.pointee_bytes);
    from += argument.pointee_bytes;
  }
}

}  // namespace culprit::fakedriver::shim
