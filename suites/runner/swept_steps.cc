// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/swept_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace culprit::suites {
namespace {

// Whether the step calls the port under some settings of the matrix, so that a fault can hit it.
bool CallsThePort(const Step& step, const Matrix& matrix) {
  switch (step.kind) {
    case StepKind::kScores:
      return false;  // what is read there is no part of the life cycle that faults are planned for
    case StepKind::kPreallocate:
      return step.pictures != 0 || std::any_of(matrix.preallocate.begin(), matrix.preallocate.end(),
                                               [](uint32_t pictures) { return pictures != 0; });
    default:
      return true;
  }
}

}  // namespace

void DemandSweptSteps(const Suite& suite) {
  for (const Scenario& scenario : suite.scenarios) {
    if (!scenario.sweep || scenario.sweep->during.empty()) continue;
    const std::vector<StepKind>& during = scenario.sweep->during;
    const Matrix& matrix = scenario.matrix ? *scenario.matrix : suite.matrix;
    bool has_one = false;
    bool calls = false;
    for (const Step& step : scenario.steps) {
      if (std::find(during.begin(), during.end(), step.kind) == during.end()) continue;
      has_one = true;
      calls |= CallsThePort(step, matrix);
    }
    if (calls) continue;
    std::vector<std::string> names;
    for (const StepKind kind : during) names.emplace_back(NameOf(kind));
    throw SuiteError(
        scenario.sweep->during_where,
        fmt::format("scenario '{}' {}: {}; the sweep would plan no fault", scenario.name,
                    has_one ? "makes no call in the only steps of this sweep" : "has no such step",
                    fmt::join(names, ", ")));
  }
}

}  // namespace culprit::suites
