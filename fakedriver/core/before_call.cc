// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/before_call.h"

#include <atomic>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/watching.h"

namespace culprit::fakedriver {
namespace {

std::atomic<BeforeCallHook> before_call = nullptr;

}  // namespace

void SetBeforeCall(BeforeCallHook hook) noexcept {
  before_call.store(hook, std::memory_order_release);
  SetWatching(Watcher::kBeforeCall, hook != nullptr);
}

void AskBeforeCall(ApiId api) noexcept {
  const BeforeCallHook hook = before_call.load(std::memory_order_acquire);
  if (hook == nullptr || ThisThread().harness_depth != 0) return;
  hook(Info(api).symbol);
}

}  // namespace culprit::fakedriver
