// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "fakedriver/exec/program.h"

namespace culprit::exec {

// The vendor's compiler pads the severity to eight columns.
std::string LoadError::ToLogLine() const {
  std::string where = line == 0 ? "" : ", line " + std::to_string(line);
  return "ptxas application ptx input" + where + "; error   : " + message;
}

}  // namespace culprit::exec
