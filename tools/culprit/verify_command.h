// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_VERIFY_COMMAND_H_
#define TOOLS_CULPRIT_VERIFY_COMMAND_H_

#include <string>

namespace culprit::tools {

// Computes a certificate again from the raw results beside it and refuses it when anything is
// missing or does not follow.
int RunVerify(const std::string& certificate, bool json);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_VERIFY_COMMAND_H_
