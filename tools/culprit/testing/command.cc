// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/testing/command.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace culprit::tools {

CommandFolder::CommandFolder() {
  setenv("CULPRIT", CULPRIT_COMMAND, 1);
  setenv("PORT", CULPRIT_TEST_PORT, 1);
  setenv("LOADING", CULPRIT_TEST_LOADING_PORT, 1);
  setenv("PROGRAM", CULPRIT_TEST_PROGRAM, 1);
}

void CommandFolder::Write(const std::string& name, const std::string& text) const {
  std::ofstream(Path(name), std::ios::binary) << text;
}

std::string CommandFolder::Read(const std::string& name) const {
  std::ifstream file(Path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Outcome CommandFolder::Culprit(const std::string& arguments, const std::string& before) const {
  const std::string command = "cd '" + folder_.path().string() + "' && { " + before +
                              " \"$CULPRIT\" " + arguments + "\n} >.output 2>.error </dev/null";
  const int status = std::system(command.c_str());
  Outcome outcome;
  // The shell says 128 and more of a command that a signal ended.
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  outcome.output = Read(".output");
  outcome.error = Read(".error");
  return outcome;
}

}  // namespace culprit::tools
