// SPDX-License-Identifier: Apache-2.0
//
// What a certification does in its children: each function runs cases of a group and sends a JSON
// line for each.
#ifndef SUITES_RUNNER_IN_CHILD_H_
#define SUITES_RUNNER_IN_CHILD_H_

#include <cstdint>
#include <vector>

#include "suites/runner/case_group.h"
#include "suites/runner/case_runner.h"
#include "suites/runner/child_pool.h"

namespace culprit::suites {

// The scenario without the sweep's faults: "case", the "scores" it gave and those "expected" of
// it, the driver "calls" of its steps, how many were made "outside" them, and the teardown "sites".
void RunUndisturbed(const CaseGroup& group, const CaseContext& context, ChildLink& link);

// One case after the other, until the last or one that leaves something behind: "case"; where pairs
// are wanted its "sequel"; with the last line the teardown "sites".
void RunBatch(const CaseGroup& group, const CaseContext& context,
              const std::vector<uint32_t>& indexes, ChildLink& link);

// A failed case again, with the call log on: "case" and its "steps" for a timeline.
void RunAlone(const CaseGroup& group, const CaseContext& context, uint32_t index, ChildLink& link);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_IN_CHILD_H_
