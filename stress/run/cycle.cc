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
  Outcome took = Take();
  Outcome gave = Give();
  return took.ok() ? gave : took;
}

Outcome Cycle::Take() {
  for (taken_ = 0; taken_ < pairs_.size(); ++taken_) {
    if (!chosen_[taken_]) continue;
    if (Outcome took = pairs_[taken_].take(); !took.ok()) return took;
    ++live_;
  }
  return {};
}

Outcome Cycle::Give() {
  Outcome first;
  while (taken_ > 0) {
    --taken_;
    if (!chosen_[taken_] || taken_ == leaked_) continue;
    Outcome gave = pairs_[taken_].give();
    if (gave.ok()) {
      --live_;
    } else if (first.ok()) {
      first = gave;
    }
  }
  return first;
}

}  // namespace culprit::stress
