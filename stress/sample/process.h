// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stress/sample/resource.h"

namespace culprit::stress {

// Reads what Linux and the C library say about this process into `sample`. Allocates nothing, for a
// sampler that feeds the heap it measures would find leaks of its own.
void ReadProcess(Sample& sample);

}  // namespace culprit::stress
