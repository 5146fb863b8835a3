// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/injection.h"

namespace culprit::fakedriver::injection_internal {

std::atomic<uint64_t> device_memory_budget{kNoBudget};
std::atomic<uint64_t> budget_refusals{0};

}  // namespace culprit::fakedriver::injection_internal
