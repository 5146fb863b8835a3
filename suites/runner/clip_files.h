// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_CLIP_FILES_H_
#define SUITES_RUNNER_CLIP_FILES_H_

#include <string>

#include "suites/runner/suite.h"

namespace culprit::suites {

// Throws SuiteError when the suite names a clip that the folder does not have.
void DemandClips(const Suite& suite, const std::string& folder);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CLIP_FILES_H_
