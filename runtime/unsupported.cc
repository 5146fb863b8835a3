// SPDX-License-Identifier: Apache-2.0
//
// Exported so that every program starts, also one that binds all its symbols at once. The headers'
// declarations are left out, those of runtime.h with them: nothing looks at the arguments.
namespace culprit::runtime {

int KeepNotSupported();

}  // namespace culprit::runtime

extern "C" {

#define CULPRIT_UNSUPPORTED(name) \
  int name() { return culprit::runtime::KeepNotSupported(); }
#include "runtime/unsupported.def"
#undef CULPRIT_UNSUPPORTED

}  // extern "C"
