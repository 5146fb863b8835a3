// SPDX-License-Identifier: Apache-2.0
//
// The culprit command as a shell runs it, in a folder of the test's own.
#ifndef TOOLS_CULPRIT_TESTING_COMMAND_H_
#define TOOLS_CULPRIT_TESTING_COMMAND_H_

#include <string>

#include "input/scratch_folder.h"

namespace culprit::tools {

struct Outcome {
  int code = -1;       // -1: a signal ended the command
  std::string output;  // on standard output
  std::string error;   // on standard error
};

class CommandFolder {
 public:
  CommandFolder();

  std::string Path(const std::string& name) const { return folder_ / name; }
  void Write(const std::string& name, const std::string& text) const;
  std::string Read(const std::string& name) const;
  // `arguments` as a shell reads them, with this folder as the working one. $CULPRIT is the
  // command; $PORT a correct port, $LOADING the library of loading_port.cc, $PROGRAM a program that
  // calls the driver. What comes before the command, such as a variable, is `before`.
  // Streams that `arguments` send elsewhere are not in the outcome.
  Outcome Culprit(const std::string& arguments, const std::string& before = "") const;

 private:
  ScratchFolder folder_;
};

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_TESTING_COMMAND_H_
