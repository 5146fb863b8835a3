// SPDX-License-Identifier: Apache-2.0
//
// What an injected fault means for the state of the machine. The call path asks for these; the
// state answers.
//
// An error reported after the effect leaves the machine in a state that the caller cannot know
// about. What the call created belongs to nobody: it is the injection's orphan and never a leak of
// the subject. What it destroyed is gone, but the caller may believe that it is not: one further
// destroy of the handle succeeds and is no finding.
#ifndef FAKEDRIVER_CORE_INJECTION_H_
#define FAKEDRIVER_CORE_INJECTION_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "fakedriver/core/api.h"
#include "fakedriver/core/calling_thread.h"

namespace culprit::fakedriver {

// Called on the thread of `call`, after its handler succeeded and before the call returns the
// injected error.
void EffectHidden(const CallInProgress& call);

// A sticky device error, as after an illegal address: every context of the process is lost from now
// on.
void LoseContexts(CUresult error);

// Device memory that allocations may use together; an allocation beyond it fails with
// CUDA_ERROR_OUT_OF_MEMORY. Whoever refuses an allocation for it calls NoteBudgetRefusal.
inline constexpr uint64_t kNoBudget = std::numeric_limits<uint64_t>::max();

namespace injection_internal {
extern std::atomic<uint64_t> device_memory_budget;
extern std::atomic<uint64_t> budget_refusals;
}  // namespace injection_internal

inline uint64_t DeviceMemoryBudget() noexcept {
  return injection_internal::device_memory_budget.load(std::memory_order_relaxed);
}
inline void SetDeviceMemoryBudget(uint64_t bytes) noexcept {
  injection_internal::device_memory_budget.store(bytes, std::memory_order_relaxed);
}
inline void NoteBudgetRefusal() noexcept {
  injection_internal::budget_refusals.fetch_add(1, std::memory_order_relaxed);
}
inline uint64_t BudgetRefusals() noexcept {
  return injection_internal::budget_refusals.load(std::memory_order_relaxed);
}

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_INJECTION_H_
