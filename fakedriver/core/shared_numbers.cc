// SPDX-License-Identifier: Apache-2.0
// The numbers that the call path and the core share.
#include "fakedriver/core/injection.h"
#include "fakedriver/core/launch_counts.h"
#include "fakedriver/core/watching.h"

namespace culprit::fakedriver {

std::atomic<uint64_t> injection_internal::device_memory_budget{kNoBudget};
std::atomic<uint64_t> injection_internal::budget_refusals{0};
std::atomic<uint32_t> watching_internal::watchers{0};
LaunchCounts launch_counts_internal::counts;

}  // namespace culprit::fakedriver
