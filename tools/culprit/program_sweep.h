// SPDX-License-Identifier: Apache-2.0
//
// The plan and the verdicts of a sweep over an unmodified program. Nothing is known of what the
// program promises, so a verdict compares a run with a fault with the run without.
#ifndef TOOLS_CULPRIT_PROGRAM_SWEEP_H_
#define TOOLS_CULPRIT_PROGRAM_SWEEP_H_

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "tools/culprit/program_run.h"

namespace culprit::tools {

// A driver call by thread (in order of first call) and entry.
struct TracedSite {
  uint32_t thread = 0;
  std::string entry;
  uint64_t nth = 1;  // of the entry on the thread
};

// The subject's calls of a trace, in the order in which they were made. Throws std::runtime_error
// naming the line.
std::vector<TracedSite> SitesOfTrace(std::istream& lines);

struct ProgramFault {
  TracedSite site;
  std::string when;  // "before", "after"
  std::string span;  // "once", "sticky"
  std::string result;

  std::string Name() const;
  // A fault plan of it alone (docs/plan_a_fault.md).
  nlohmann::json Plan() const;
};

enum class Consequence : uint8_t {
  kCrashed,      // a signal ended it that did not without the fault
  kHung,         // it did not end in time
  kMisused,      // the driver found leaks or misuse that were not there without the fault
  kSwallowed,    // it ended as without the fault, and with the same output if that never varies
  kOtherOutput,  // its exit code says nothing of the error; its output does, or is wrong
  kReported,     // it ended with another exit code
  kNotReached,   // the call was not made this time
};
const char* NameOf(Consequence consequence);
bool IsDefect(Consequence consequence);
// Whether the exit code hides the error from whoever started the program.
bool HidesTheError(Consequence consequence);

struct ProgramOutcome {
  ProgramRun run;
  std::string output;
  bool output_varies = false;  // from run to run without a fault, so that it tells nothing of one
};

Consequence Judge(const ProgramOutcome& undisturbed, const ProgramOutcome& faulted);
// What must be known of the run without a fault to read the verdicts: a line each, or nothing.
std::string RemarksOn(const ProgramRun& undisturbed);
// Rules of errors in `faulted` that are not, or less often, in `undisturbed`.
std::vector<std::string> NewErrors(const ProgramRun& undisturbed, const ProgramRun& faulted);
// The same of notes, which fail nothing: what the end of a context took along, for example.
std::vector<std::string> NewNotes(const ProgramRun& undisturbed, const ProgramRun& faulted);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_PROGRAM_SWEEP_H_
