// SPDX-License-Identifier: Apache-2.0
//
// What a program printed, compared between two runs. Addresses differ from run to run and say
// nothing.
#ifndef TOOLS_CULPRIT_PROGRAM_OUTPUT_H_
#define TOOLS_CULPRIT_PROGRAM_OUTPUT_H_

#include <optional>
#include <string>

namespace culprit::tools {

// One line of each output, of a long one what is around the first byte that differs; empty where
// the output has ended.
struct LineThatDiffers {
  std::string undisturbed;
  std::string faulted;
};

// The first place at which two outputs differ. Nothing: they do not.
std::optional<LineThatDiffers> FirstDifference(const std::string& undisturbed,
                                               const std::string& faulted);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_PROGRAM_OUTPUT_H_
