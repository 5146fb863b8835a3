// SPDX-License-Identifier: Apache-2.0
#include "inventory/rules/rule.h"

namespace culprit::inventory {
namespace {

constexpr RuleInfo kRules[] = {
#define INVENTORY_RULE(constant, id, severity, meaning) \
  {RuleId::constant, id, Severity::severity, meaning},
#include "inventory/rules/rules.def"
#undef INVENTORY_RULE
};

constexpr std::string_view kSeverityNames[] = {"off", "note", "warning", "error"};

}  // namespace

std::span<const RuleInfo> AllRules() { return kRules; }

const RuleInfo& InfoOf(RuleId id) { return kRules[static_cast<size_t>(id)]; }

const RuleInfo* FindRule(std::string_view name) {
  for (const RuleInfo& rule : kRules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::optional<Severity> ParseSeverity(std::string_view text) {
  for (size_t i = 0; i < std::size(kSeverityNames); ++i) {
    if (kSeverityNames[i] == text) return static_cast<Severity>(i);
  }
  return std::nullopt;
}

std::string_view ToString(Severity severity) {
  return kSeverityNames[static_cast<size_t>(severity)];
}

}  // namespace culprit::inventory
