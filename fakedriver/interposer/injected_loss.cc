// SPDX-License-Identifier: Apache-2.0
//
// What the fake's machine does for the call path, done in front of a vendor's driver: the gate lets
// everything through until an injected fault has lost the contexts. The device is well; the program
// must not notice.
#include <atomic>

#include "fakedriver/core/gate.h"
#include "fakedriver/core/injection.h"
#include "fakedriver/core/inspect.h"
#include "fakedriver/interposer/tracked_objects.h"

namespace culprit::fakedriver {
namespace {

std::atomic<CUresult> loss{CUDA_SUCCESS};

}  // namespace

std::atomic<uint32_t> gate_internal::trouble{0};
thread_local constinit bool gate_internal::in_callback = false;

CUresult gate_internal::Refuse(ApiId id) {
  const ApiInfo& entry = Info(id);
  const bool looks = entry.needs == Needs::kNothing || entry.family == Family::kDevice;
  const bool ends_context =
      entry.effect == Effect::kDestroys &&
      (entry.family == Family::kContext || entry.family == Family::kPrimaryContext);
  return looks || ends_context ? CUDA_SUCCESS : loss.load(std::memory_order_relaxed);
}

void LoseContexts(CUresult error) {
  CUresult none = CUDA_SUCCESS;
  loss.compare_exchange_strong(none, error);
  gate_internal::trouble.store(1, std::memory_order_release);
}

void ResetMachine() {
  interposer::ForgetObjects();
  loss.store(CUDA_SUCCESS, std::memory_order_relaxed);
  gate_internal::trouble.store(0, std::memory_order_release);
}

}  // namespace culprit::fakedriver
