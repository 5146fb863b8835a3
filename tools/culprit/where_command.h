// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_WHERE_COMMAND_H_
#define TOOLS_CULPRIT_WHERE_COMMAND_H_

#include "tools/culprit/installation.h"

namespace culprit::tools {

// Prints the places, one a line, or as JSON. Fails when something that every installation has is
// missing.
int RunWhere(const Installation& installation, bool json);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_WHERE_COMMAND_H_
