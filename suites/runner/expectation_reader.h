// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_EXPECTATION_READER_H_
#define SUITES_RUNNER_EXPECTATION_READER_H_

#include "suites/runner/suite.h"
#include "suites/runner/yaml_view.h"

namespace culprit::suites {

// Both throw SuiteError.
std::string ReadFinding(const YamlView& node);  // the id of one
Expectations ReadExpectations(const YamlView& node);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_EXPECTATION_READER_H_
