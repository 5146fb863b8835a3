// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/shrink.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>

namespace culprit::atlas {

Sequence Slice(const Sequence& sequence, size_t step) {
  if (step >= sequence.steps.size()) return sequence;
  // An operand that names a slot begins with a letter; offsets stay off.
  auto slots = [](const Step& of) {
    std::set<std::string> names;
    for (const std::string& operand : of.operands) {
      if (std::isalpha(static_cast<unsigned char>(operand[0])) != 0) {
        names.insert(operand.substr(0, operand.find('+')));
      }
    }
    for (const char* word : {"nil", "legacy", "perthread"}) names.erase(word);
    return names;
  };
  std::set<std::string> wanted = slots(sequence.steps[step]);
  Sequence slice{sequence.name, {sequence.steps[step]}};
  for (size_t i = step; i-- > 0;) {
    const std::set<std::string> used = slots(sequence.steps[i]);
    const bool shared = std::any_of(
        used.begin(), used.end(), [&](const std::string& name) { return wanted.count(name) != 0; });
    if (i != 0 && !shared) continue;  // the first makes a context current
    wanted.insert(used.begin(), used.end());
    slice.steps.insert(slice.steps.begin(), sequence.steps[i]);
  }
  return slice;
}

Sequence Shrink(const Sequence& sequence, const std::function<bool(const Sequence&)>& fails) {
  Sequence best = sequence;
  for (size_t chunk = best.steps.size() / 2; chunk >= 1;) {
    bool smaller = false;
    for (size_t start = 0; start + chunk <= best.steps.size();) {
      Sequence candidate = best;
      candidate.steps.erase(candidate.steps.begin() + static_cast<long>(start),
                            candidate.steps.begin() + static_cast<long>(start + chunk));
      if (!candidate.steps.empty() && fails(candidate)) {
        best = std::move(candidate);
        smaller = true;
      } else {
        start += chunk;
      }
    }
    if (!smaller || chunk > best.steps.size()) chunk /= 2;
  }
  return best;
}

}  // namespace culprit::atlas
