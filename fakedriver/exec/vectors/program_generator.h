// SPDX-License-Identifier: Apache-2.0
//
// Random well-formed PTX programs, by seed: integer and floating-point arithmetic, predicates,
// divergent branches and loops, indexed branches, calls, local and shared memory, shuffles, votes
// and reductions into common counters. Their results are determined: no race, no order of atomics
// that shows, no instruction whose result the PTX ISA leaves open.
#ifndef FAKEDRIVER_EXEC_VECTORS_PROGRAM_GENERATOR_H_
#define FAKEDRIVER_EXEC_VECTORS_PROGRAM_GENERATOR_H_

#include <cstdint>
#include <string>

namespace culprit::exec::vectors {

inline constexpr unsigned kProgramBlocks = 2;
inline constexpr unsigned kProgramThreads = 96;
inline constexpr unsigned kProgramCounters = 8;

// Kernel "k" (.param .u64 out, in): thread i reads element i of `in` and writes elements 2i and
// 2i+1 of `out`; after those come kProgramCounters counters, which start as zeros.
std::string GenerateProgram(uint64_t seed);

}  // namespace culprit::exec::vectors

#endif  // FAKEDRIVER_EXEC_VECTORS_PROGRAM_GENERATOR_H_
