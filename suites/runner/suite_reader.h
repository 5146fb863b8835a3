// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_SUITE_READER_H_
#define SUITES_RUNNER_SUITE_READER_H_

#include <string>

#include "suites/runner/suite.h"

namespace culprit::suites {

// Both throw InputError, which names file, line, column and the rule that is broken. A suite is
// named as its file.
Suite ReadSuite(const std::string& path);
Suite ParseSuite(const std::string& text, const std::string& path);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SUITE_READER_H_
