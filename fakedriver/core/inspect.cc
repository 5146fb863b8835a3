// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/inspect.h"

namespace culprit::fakedriver {

LiveCounts CountLive() { return {}; }
std::vector<LiveObject> LiveObjects() { return {}; }
void ResetMachine() {}
void AuditEndOfLife() {}
uint32_t ContextStackDepth() noexcept { return 0; }
uint64_t CurrentContextHandle() noexcept { return 0; }

}  // namespace culprit::fakedriver
