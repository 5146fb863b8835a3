// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_STEP_READER_H_
#define SUITES_RUNNER_STEP_READER_H_

#include <vector>

#include "suites/runner/suite.h"
#include "suites/runner/yaml_view.h"

namespace culprit::suites {

// All throw SuiteError.
std::string ReadEntry(const YamlView& node);  // of the driver
std::vector<Step> ReadSteps(const YamlView& list);
std::vector<Fault> ReadFaults(const YamlView& list);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_STEP_READER_H_
