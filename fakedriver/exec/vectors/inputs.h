// SPDX-License-Identifier: Apache-2.0
//
// Operand values: the edges of a type against each other, then random bits. The same for the same
// arguments on every machine, so that a record needs to name the seed only.
#ifndef FAKEDRIVER_EXEC_VECTORS_INPUTS_H_
#define FAKEDRIVER_EXEC_VECTORS_INPUTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace culprit::exec::vectors {

// A finaliser with full avalanche; results are digested with it too.
uint64_t Mix(uint64_t value);

// `count` values of a PTX type for operand number `position`, each in 64 bits.
std::vector<uint64_t> InputValues(std::string_view type, unsigned position, size_t count,
                                  uint64_t seed);

}  // namespace culprit::exec::vectors

#endif  // FAKEDRIVER_EXEC_VECTORS_INPUTS_H_
