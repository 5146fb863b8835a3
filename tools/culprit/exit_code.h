// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_EXIT_CODE_H_
#define TOOLS_CULPRIT_EXIT_CODE_H_

namespace culprit::tools {

// What the command's exit codes mean; printed by --help.
inline constexpr int kFine = 0;       // certified, no finding, replay reproduced nothing, verified
inline constexpr int kFindings = 1;   // not certified, errors found, replay reproduced its finding
inline constexpr int kUsage = 2;      // the command line or an input is wrong (InputError)
inline constexpr int kCannotRun = 3;  // the harness itself could not do its work
inline constexpr int kNothingProved = 4;  // it ran, and no driver call was reported
inline constexpr int kNotApplicable = 5;  // nothing of what was asked for applies to this port

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_EXIT_CODE_H_
