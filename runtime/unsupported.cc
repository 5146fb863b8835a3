// SPDX-License-Identifier: Apache-2.0
//
// Exported so that every program starts, also one that binds all its symbols at once. The headers'
// declarations are left out: nothing looks at the arguments.
extern "C" {

#define CULPRIT_UNSUPPORTED(name) \
  int name() { return 801; } /* cudaErrorNotSupported */
#include "runtime/unsupported.def"
#undef CULPRIT_UNSUPPORTED

}  // extern "C"
