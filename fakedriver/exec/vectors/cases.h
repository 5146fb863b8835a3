// SPDX-License-Identifier: Apache-2.0
//
// Everything that is run on a device once and on the machine ever after: the variants of each
// instruction, generated programs and the corpus of compiled kernels.
#ifndef FAKEDRIVER_EXEC_VECTORS_CASES_H_
#define FAKEDRIVER_EXEC_VECTORS_CASES_H_

#include <string>
#include <vector>

#include "fakedriver/exec/vectors/driver.h"

namespace culprit::exec::vectors {

inline constexpr uint64_t kSeed = 580;     // of all inputs
inline constexpr size_t kElements = 2048;  // of a variant
inline constexpr unsigned kPrograms = 1000;
inline constexpr unsigned kCorpusBlocks = 4;  // of 128 threads, for each kernel of the corpus
inline constexpr size_t kCorpusWords = 4096;  // of its input and of its output

struct Case {
  std::string name;  // the instruction, "program SEED" or "FILE.ptx KERNEL"
  std::string text;  // PTX of a corpus kernel; made on demand for the others
  std::string entry = "k";
};

// `corpus` is a folder of .ptx files, all of whose kernels take (uint64_t* out, const uint64_t*
// in).
std::vector<Case> AllCases(const std::string& corpus);

// The kernel of one case, with its inputs.
Kernel MakeKernel(const Case& which);

// "8f0d..." for a result; "refused" for a kernel that does not compile; "fault 715" for one that
// does not end well.
std::string Verdict(const Run& run);

}  // namespace culprit::exec::vectors

#endif  // FAKEDRIVER_EXEC_VECTORS_CASES_H_
