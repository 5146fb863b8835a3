// SPDX-License-Identifier: Apache-2.0
//
// Functions that device code calls and the machine provides: vprintf, malloc, free, __assertfail.
#ifndef FAKEDRIVER_EXEC_MACHINE_EXTERNAL_FUNCTIONS_H_
#define FAKEDRIVER_EXEC_MACHINE_EXTERNAL_FUNCTIONS_H_

#include <string_view>

#include "fakedriver/exec/machine/instruction.h"

namespace culprit::exec {

// The handler of a call to `name`, whose `extra` is the CallInfo; null if the machine does not
// provide it.
Handler ExternalFunction(std::string_view name);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_EXTERNAL_FUNCTIONS_H_
