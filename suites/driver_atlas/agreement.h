// SPDX-License-Identifier: Apache-2.0
// Asks two drivers the same random sequences and finds the shortest one they answer differently.
#ifndef SUITES_DRIVER_ATLAS_AGREEMENT_H_
#define SUITES_DRIVER_ATLAS_AGREEMENT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "suites/driver_atlas/generator.h"

namespace culprit::atlas {

struct AgreementRequest {
  std::string library_a, library_b;
  uint64_t first_seed = 1;
  uint64_t count = 1000;
  uint64_t batch = 250;  // sequences to a process; 1 with contexts
  GeneratorOptions generator;
  // Told after each batch how many sequences have agreed so far. May be empty.
  std::function<void(uint64_t)> progress;
};

struct Disagreement {
  uint64_t seed = 0;
  Sequence sequence;  // shrunk
  std::vector<std::string> answers_a, answers_b;
};

struct AgreementResult {
  uint64_t agreed = 0;  // in a row, from the first seed
  bool disagreed = false;
  Disagreement first;
  std::string error;
};

AgreementResult CompareDrivers(const AgreementRequest& request);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_AGREEMENT_H_
