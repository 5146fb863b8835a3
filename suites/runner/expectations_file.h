// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_EXPECTATIONS_FILE_H_
#define SUITES_RUNNER_EXPECTATIONS_FILE_H_

#include <string>
#include <vector>

#include "suites/runner/waiver.h"

namespace culprit::suites {

// What a port's owners say beforehand: its waivers, in the order of the file.
struct ExpectationsFile {
  std::string sha256;
  std::vector<Waiver> waivers;
};

// Both throw InputError with file, line and the rule that is broken.
ExpectationsFile ReadExpectationsFile(const std::string& path);
ExpectationsFile ParseExpectationsFile(const std::string& text, const std::string& name);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_EXPECTATIONS_FILE_H_
