// SPDX-License-Identifier: Apache-2.0
//
// Fault plans as text, YAML or JSON (which is YAML). docs/plan_a_fault.md is the guide; in short
//
//   seed: 7
//   faults:
//     - {entry: cuEventCreate, nth: 2, before: CUDA_ERROR_OUT_OF_MEMORY}
//     - {family: memory, every: 3, sticky: true, after: CUDA_ERROR_UNKNOWN, optional: true}
//
// or the list of faults alone. Whatever a plan says that is unknown, misspelt or without meaning is
// an error.
#ifndef FAKEDRIVER_FAULT_PLAN_H_
#define FAKEDRIVER_FAULT_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "fakedriver/fault/fault.h"

namespace culprit::fakedriver::fault {

// The faults of a plan in its order, or nothing and "name:line:column: rule: what" in *error.
// `name` is where the text is from.
std::optional<std::vector<Fault>> ParsePlan(const std::string& text, const std::string& name,
                                            std::string* error);

}  // namespace culprit::fakedriver::fault

#endif  // FAKEDRIVER_FAULT_PLAN_H_
