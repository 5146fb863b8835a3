// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_DRIVER_ENTRY_H_
#define SUITES_RUNNER_DRIVER_ENTRY_H_

#include <string_view>

namespace culprit::suites {

// Whether the driver table has it: a symbol as exported ("cuMemAlloc_v2", per-thread variants
// included) or the name that its variants are looked up by ("cuMemAlloc").
bool IsDriverEntry(std::string_view name);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_DRIVER_ENTRY_H_
