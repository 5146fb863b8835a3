// SPDX-License-Identifier: Apache-2.0
// What a random step is made of, apart from the objects that it names.
#ifndef SUITES_DRIVER_ATLAS_DRAW_H_
#define SUITES_DRIVER_ATLAS_DRAW_H_

#include <cstddef>
#include <string>

#include "suites/driver_atlas/random.h"

namespace culprit::atlas {

// The name of an operation; those that make, destroy or stack contexts only with `contexts`.
const char* DrawOperation(Random& random, bool contexts);

// For operand `i` of the operation: mostly what it takes, now and then what it refuses.
std::string DrawNumber(Random& random, const std::string& operation, size_t i);
std::string DrawText(Random& random, const std::string& operation);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_DRAW_H_
