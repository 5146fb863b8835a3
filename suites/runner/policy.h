// SPDX-License-Identifier: Apache-2.0
//
// The policy: the numbered promises that a subject is certified against (docs/rules/). A finding
// breaks one of them, a suite is evidence for some.
#ifndef SUITES_RUNNER_POLICY_H_
#define SUITES_RUNNER_POLICY_H_

#include <string>
#include <string_view>
#include <vector>

#include "suites/runner/finding.h"

namespace culprit::suites {

struct PolicyRule {
  std::string_view id;       // "ERR-1"
  std::string_view promise;  // one line
};

// In the order of the table.
const std::vector<PolicyRule>& PolicyRules();
// Null: there is no such rule.
const PolicyRule* RuleOfId(std::string_view id);
// The rule that a finding of this id breaks; null: there is no such finding.
const PolicyRule* RuleOfFinding(std::string_view id);
// The same for a finding that was made. Some ids can break another rule than they usually do, and
// then the finding says so itself.
const PolicyRule* RuleOf(const Finding& finding);
// Every id that a finding can have.
std::vector<std::string_view> KnownFindings();

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_POLICY_H_
