// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/file_view.h"

namespace culprit::inventory {

Severity SeverityOf(const Contract& contract, RuleId rule) {
  const auto chosen = contract.severities.find(rule);
  return chosen == contract.severities.end() ? InfoOf(rule).severity : chosen->second;
}

namespace {

// Of one rule in one file. Generated or hostile sources have millions, and nobody reads them.
constexpr size_t kMostOfARule = 1000;

}  // namespace

Finding* FindingSink::Add(RuleId rule, uint32_t begin, uint32_t end, std::string_view function,
                          std::string message) {
  const Severity severity = SeverityOf(contract_, rule);
  if (severity == Severity::kOff) return nullptr;
  const size_t count = ++counts_[rule];
  if (count > kMostOfARule) return nullptr;
  if (count == kMostOfARule)
    message += "; further findings of this rule in this file are not listed";
  Finding& finding = findings_.emplace_back();
  finding.rule = rule;
  finding.severity = severity;
  finding.where = LocationOf(file_, begin, end);
  finding.function = std::string(function);
  finding.message = std::move(message);
  return &finding;
}

}  // namespace culprit::inventory
