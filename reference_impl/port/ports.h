// SPDX-License-Identifier: Apache-2.0
//
// The ports of this folder. Each library is one of them under a name of its own; the generated
// entry says which.
#ifndef CULPRIT_REFERENCE_IMPL_PORT_PORTS_H_
#define CULPRIT_REFERENCE_IMPL_PORT_PORTS_H_

#include "suites/culprit_port.h"

namespace culprit::reference {

// Defined by every library for itself.
extern const char* const kPortName;
extern const char* const kPortVersion;

const culprit_port& ReferencePort();
// Binding of the primary context from many threads.
const culprit_port& PrimaryContextPort();
// Buffers that carry the recipe of their own cleanup.
const culprit_port& BufferRecipePort();
// The three callers, over the reference.
const culprit_port& CallersPort();

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_PORT_PORTS_H_
