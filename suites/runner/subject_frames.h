// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_SUBJECT_FRAMES_H_
#define SUITES_RUNNER_SUBJECT_FRAMES_H_

#include <string>
#include <vector>

#include "suites/runner/symbolizer.h"

namespace culprit::suites {

// How many of a stack's frames, innermost first, tell of the subject: up to its outermost one. What
// called that says nothing to its author: the harness, the driver's executor, what threads start
// in. 0: none is the subject's. `harness` is the path of this program.
size_t CountSubjectFrames(const std::vector<SourceFrame>& stack, const std::string& harness);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SUBJECT_FRAMES_H_
