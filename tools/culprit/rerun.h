// SPDX-License-Identifier: Apache-2.0
//
// A certificate tried by a sample: some of its cases are run again and must come to the same end.
#ifndef TOOLS_CULPRIT_RERUN_H_
#define TOOLS_CULPRIT_RERUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/culprit/installation.h"
#include "tools/culprit/report/certificate.h"

namespace culprit::tools {

struct Rerun {
  uint64_t cases = 0;
  std::vector<std::string> objections;
};

// "k%" as a fraction, above 0 and at most 1. Throws InputError.
double ParseShare(const std::string& text);

// The cases that a share and a seed mean: a pure function, at least one of each scenario's.
std::vector<uint32_t> Sample(uint32_t group, const std::vector<uint32_t>& cases, double share,
                             uint64_t seed);

Rerun RunAgain(const Installation& installation, const Report& report, const ResultsStore& store,
               double share, uint64_t seed);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_RERUN_H_
