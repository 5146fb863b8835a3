// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/suite.h"

#include <iterator>

namespace culprit::suites {
namespace {

constexpr const char* kStepNames[] = {"state_init",  "open",  "use",        "import",
                                      "preallocate", "fetch", "submit",     "flush",
                                      "scores",      "close", "state_free", "operate"};
static_assert(std::size(kStepNames) == static_cast<size_t>(StepKind::kOperate) + 1);

}  // namespace

const char* NameOf(StepKind kind) { return kStepNames[static_cast<size_t>(kind)]; }

std::optional<StepKind> StepKindOf(const std::string& name) {
  for (size_t i = 0; i < std::size(kStepNames); ++i) {
    if (name == kStepNames[i]) return static_cast<StepKind>(i);
  }
  return std::nullopt;
}

bool IsTeardown(StepKind kind) { return kind == StepKind::kClose || kind == StepKind::kStateFree; }

}  // namespace culprit::suites
