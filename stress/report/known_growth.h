// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "stress/sample/resource.h"

namespace culprit::stress {

// Growth that a driver is known to have of its own, so that a nightly run stays green until
// something new grows. Each entry holds for drivers whose version begins with `driver`, and says
// why.
struct KnownGrowth {
  std::string driver;  // "580."
  std::string probe;
  Resource resource = Resource::kHeap;
  double per_cycle = 0;  // at most this much is accepted
  std::string reason;
};

// Reads a JSON file of schema culprit.known_growth/1. On a malformed one, false with the file, the
// entry and the rule in `error`.
bool ReadKnownGrowth(const std::string& text, const std::string& file,
                     std::vector<KnownGrowth>* known, std::string* error);

// The entry for this probe and resource under this driver, or null.
const KnownGrowth* FindKnownGrowth(const std::vector<KnownGrowth>& known,
                                   const std::string& driver_version, std::string_view probe,
                                   Resource resource);

}  // namespace culprit::stress
