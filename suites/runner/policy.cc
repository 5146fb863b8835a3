// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/policy.h"

#include <algorithm>
#include <iterator>

namespace culprit::suites {
namespace {

struct FindingRow {
  std::string_view finding;
  std::string_view rule;
};

constexpr FindingRow kFindings[] = {
#define POLICY_FINDING(finding, rule) {finding, rule},
#include "suites/runner/policy.def"
};

}  // namespace

const std::vector<PolicyRule>& PolicyRules() {
  static const std::vector<PolicyRule> rules = {
#define POLICY_RULE(id, promise) {id, promise},
#include "suites/runner/policy.def"
  };
  return rules;
}

const PolicyRule* RuleOfId(std::string_view id) {
  for (const PolicyRule& rule : PolicyRules()) {
    if (rule.id == id) return &rule;
  }
  return nullptr;
}

const PolicyRule* RuleOfFinding(std::string_view id) {
  const auto* row = std::find_if(std::begin(kFindings), std::end(kFindings),
                                 [&](const FindingRow& one) { return one.finding == id; });
  return row != std::end(kFindings) ? RuleOfId(row->rule) : nullptr;
}

const PolicyRule* RuleOf(const Finding& finding) {
  const auto named = finding.details.find("rule");
  if (named != finding.details.end() && named->is_string()) {
    if (const PolicyRule* rule = RuleOfId(named->get<std::string>())) return rule;
  }
  return RuleOfFinding(finding.id);
}

std::vector<std::string_view> KnownFindings() {
  std::vector<std::string_view> ids;
  for (const FindingRow& row : kFindings) ids.push_back(row.finding);
  return ids;
}

}  // namespace culprit::suites
