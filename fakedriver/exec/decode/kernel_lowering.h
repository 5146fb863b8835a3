// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_EXEC_DECODE_KERNEL_LOWERING_H_
#define FAKEDRIVER_EXEC_DECODE_KERNEL_LOWERING_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "fakedriver/exec/decode/lowering.h"

namespace culprit::exec {

// Functions that `entry` may reach, itself first. A function whose address is taken anywhere in the
// module counts as reachable for a kernel that calls indirectly.
std::vector<uint32_t> ReachableFunctions(const ModuleText& module, uint32_t entry);

// Offsets of the shared variables that `functions` mention, by variable; `end` gets the size of
// all.
std::vector<uint32_t> PlaceSharedVariables(const ModuleText& module,
                                           const std::vector<uint32_t>& functions, uint32_t* end,
                                           bool* dynamic);

std::unique_ptr<KernelCode> LowerKernel(const ModuleText& module, uint32_t entry,
                                        const LoweringTable& table);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_DECODE_KERNEL_LOWERING_H_
