// SPDX-License-Identifier: Apache-2.0
//
// A failure as a GoogleTest case: what the steps of its scenario are in plain calls of the port ABI
// and the control API, so that it can go into the tests of whoever owns the port.
#ifndef TOOLS_CULPRIT_REPORT_TEST_CASE_H_
#define TOOLS_CULPRIT_REPORT_TEST_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/runner/fault.h"
#include "suites/runner/settings.h"
#include "suites/runner/suite.h"

namespace culprit::tools {

struct TestCase {
  std::string port;  // path
  std::string suite;
  const suites::Scenario* scenario = nullptr;
  suites::Settings settings;
  std::vector<suites::Fault> faults;
  std::vector<std::string> findings;  // ids
  std::string message;                // of the first
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t frames = 0;
  bool pattern = true;  // the frames are not those of a clip file
};

struct TestCaseText {
  std::string text;     // of the source file; empty: there is none
  std::string why_not;  // then
};

// Builds with culprit's headers, its client library and GoogleTest; fails as long as the port does.
TestCaseText TestCaseOf(const TestCase& of);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPORT_TEST_CASE_H_
