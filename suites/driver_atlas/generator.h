// SPDX-License-Identifier: Apache-2.0
// Random call sequences, legal and slightly illegal, as text a scenario file could hold. The same
// seed gives the same sequence everywhere, so a fake and a device can be asked in different places
// and compared by seed.
#ifndef SUITES_DRIVER_ATLAS_GENERATOR_H_
#define SUITES_DRIVER_ATLAS_GENERATOR_H_

#include <cstdint>
#include <functional>

#include "suites/driver_atlas/sequence.h"

namespace culprit::atlas {

struct GeneratorOptions {
  bool contexts =
      false;  // create, destroy, push and pop contexts; slow on a device (0.17 s a context)
  int steps = 24;
};

// Never contains use after destroy of streams and events, which real drivers leave undefined. Ends
// by destroying what it made, so that many sequences run in one process.
Sequence Generate(uint64_t seed, const GeneratorOptions& options);

// The shortest sequence obtained by leaving out steps for which `fails` still holds.
Sequence Shrink(const Sequence& sequence, const std::function<bool(const Sequence&)>& fails);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_GENERATOR_H_
