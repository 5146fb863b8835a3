// SPDX-License-Identifier: Apache-2.0
// A baseline: findings that are known and accepted for now, by fingerprint, each with a reason and
// perhaps a date.
#ifndef CULPRIT_INVENTORY_SUPPRESS_BASELINE_H_
#define CULPRIT_INVENTORY_SUPPRESS_BASELINE_H_

#include <string>
#include <vector>

#include "inventory/report/finding.h"

namespace culprit::inventory {

struct BaselineEntry {
  std::string fingerprint;
  std::string rule, path, message;  // for people; the fingerprint decides
  std::string reason;
  std::string expires;  // ISO date, empty: never
  unsigned line = 0;    // in the baseline file
};

struct Baseline {
  std::string path;
  std::vector<BaselineEntry> entries;
};

// Throws InputError naming file and rule.
Baseline ParseBaseline(const std::string& text, const std::string& path);

// The baseline that accepts every new finding of `findings`; what `old` says of a finding is kept.
std::string WriteBaseline(const std::vector<Finding>& findings, const Baseline& old,
                          const std::string& reason, const std::string& expires);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SUPPRESS_BASELINE_H_
