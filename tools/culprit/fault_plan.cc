// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/fault_plan.h"

#include "fakedriver/fault/plan.h"
#include "input/input_error.h"

namespace culprit::tools {

void DemandPlan(const std::string& text, const std::string& file) {
  std::string error;
  if (!fakedriver::fault::ParsePlan(text, file, &error)) throw InputError(error);
}

}  // namespace culprit::tools
