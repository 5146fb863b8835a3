// SPDX-License-Identifier: Apache-2.0
// The driver atlas as a page to read: what was recorded where, how recordings differ, and every
// answer.
#ifndef SUITES_DRIVER_ATLAS_PAGE_H_
#define SUITES_DRIVER_ATLAS_PAGE_H_

#include <string>
#include <vector>

#include "suites/driver_atlas/answers.h"

namespace culprit::atlas {

struct Recording {
  std::string name;  // "h200-r580"
  Answers answers;
};

// Markdown. The first recording's answers are printed in full, the others' where they differ.
std::string Page(const std::vector<Recording>& recordings);

}  // namespace culprit::atlas

#endif  // SUITES_DRIVER_ATLAS_PAGE_H_
