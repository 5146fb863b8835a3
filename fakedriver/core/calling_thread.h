// SPDX-License-Identifier: Apache-2.0
//
// What every part of the fake may know of the thread that is calling the driver: its ordinal,
// whether it acts for the harness, the call in progress, and how often it has called each entry.
//
// A thread has a record from its first call on. Ordinals count threads in order of first call,
// from 1. Forgetting everything (control reset) starts a new epoch: a thread that calls again gets
// a new ordinal and empty counters.
#ifndef FAKEDRIVER_CORE_CALLING_THREAD_H_
#define FAKEDRIVER_CORE_CALLING_THREAD_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver {

// One driver call in progress. Lives on the stack of the exported function; calls nest when a host
// function calls the driver.
struct CallInProgress {
  ApiId api{};
  bool harness = false;   // made by the harness: not counted, not faulted
  uint64_t sequence = 0;  // 1, 2, ... over all threads; 0 for the harness
  uint32_t nth = 0;       // call of this entry on this thread, from 1; 0 for the harness
  const void* return_address = nullptr;  // in the caller
  CallInProgress* outer = nullptr;

  // A null stream handle means the per-thread default stream.
  bool PerThreadDefaultStream() const { return Info(api).variant != Variant::kLegacy; }
};

struct CallingThread {
  uint32_t ordinal = 0;
  uint32_t harness_depth = 0;
  uint64_t epoch = 0;
  CallInProgress* call = nullptr;                         // null between calls
  std::array<std::atomic<uint32_t>, kApiCount> counts{};  // written by the thread only
};

// The record of the calling thread, made when there is none. Never fails: without memory the
// process ends.
CallingThread& ThisThread() noexcept;

// The call in progress on this thread, or null.
CallInProgress* CurrentCall() noexcept;

// The calling thread acts for the harness while at least one of these is open.
void HarnessBegin() noexcept;
void HarnessEnd() noexcept;

// Over all threads of this epoch. While threads call, CallsOf read before CallsSinceReset is at
// most as many.
uint64_t CallsSinceReset() noexcept;
uint64_t CallsOf(ApiId id) noexcept;
uint32_t ThreadsSeen() noexcept;

// Counters, ordinals and sequence numbers start again.
void ForgetCalls() noexcept;

namespace calling_thread_internal {

extern std::atomic<uint64_t> last_sequence;
extern std::atomic<uint64_t> epoch;
extern thread_local constinit CallingThread* current __attribute__((tls_model("initial-exec")));

CallingThread& Register() noexcept;

}  // namespace calling_thread_internal

inline CallingThread& ThisThread() noexcept {
  using namespace calling_thread_internal;
  CallingThread* thread = current;
  if (thread != nullptr && thread->epoch == epoch.load(std::memory_order_relaxed)) [[likely]] {
    return *thread;
  }
  return Register();
}

inline CallInProgress* CurrentCall() noexcept {
  CallingThread* thread = calling_thread_internal::current;
  return thread == nullptr ? nullptr : thread->call;
}

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_CALLING_THREAD_H_
