// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_NEW_PORT_COMMAND_H_
#define TOOLS_CULPRIT_NEW_PORT_COMMAND_H_

#include <string>

#include "tools/culprit/installation.h"

namespace culprit::tools {

// Makes a folder `name` with a port that builds and has every function to fill in. Nothing that
// exists is overwritten.
int RunNewPort(const Installation& installation, const std::string& name);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_NEW_PORT_COMMAND_H_
