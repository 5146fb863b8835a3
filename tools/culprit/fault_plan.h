// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_FAULT_PLAN_H_
#define TOOLS_CULPRIT_FAULT_PLAN_H_

#include <string>

namespace culprit::tools {

// Throws InputError with file, line, column and rule when the driver would refuse the plan.
void DemandPlan(const std::string& text, const std::string& file);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_FAULT_PLAN_H_
