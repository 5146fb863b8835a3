// SPDX-License-Identifier: Apache-2.0
#include "stress/run/cycle.h"

namespace culprit::stress {

Cycle::Cycle(std::span<const Pair> pairs) : pairs_(pairs), chosen_(pairs.size(), true) {}

void Cycle::Choose(std::span<const size_t> chosen) {
  chosen_.assign(pairs_.size(), false);
  for (size_t pair : chosen) chosen_[pair] = true;
  // Needs point backwards, so one pass from the end closes the choice.
  for (size_t pair = pairs_.size(); pair-- > 0;) {
    if (!chosen_[pair]) continue;
    for (size_t need : pairs_[pair].needs) chosen_[need] = true;
  }
}

Outcome Cycle::Run() {
  Outcome first;
  size_t taken = 0;
  for (; taken < pairs_.size(); ++taken) {
    if (!chosen_[taken]) continue;
    first = pairs_[taken].take();
    if (!first.ok()) break;
    ++live_;
  }
  while (taken-- > 0) {
    if (!chosen_[taken] || taken == leaked_) continue;
    Outcome given = pairs_[taken].give();
    if (given.ok()) {
      --live_;
    } else if (first.ok()) {
      first = given;
    }
  }
  return first;
}

}  // namespace culprit::stress
