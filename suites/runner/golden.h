// SPDX-License-Identifier: Apache-2.0
//
// Scores known from elsewhere, one JSON file a clip, and the shape of the clip they belong to.
#ifndef SUITES_RUNNER_GOLDEN_H_
#define SUITES_RUNNER_GOLDEN_H_

#include <string>
#include <vector>

#include "suites/runner/clip.h"
#include "suites/runner/life_cycle.h"

namespace culprit::suites {

struct Golden {
  ClipShape shape;
  std::vector<ScoreSeries> scores;
};

// Reads `folder`/NAME.json. Where two sources of a score disagree the file says which is followed.
// Throws std::runtime_error that names the file.
Golden ReadGolden(const std::string& folder, const std::string& name);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_GOLDEN_H_
