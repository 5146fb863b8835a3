// SPDX-License-Identifier: Apache-2.0
// The rules' identities. What each looks for is in rules/, what it means for a reader in
// docs/inventory/rules/.
#ifndef CULPRIT_INVENTORY_RULES_RULE_H_
#define CULPRIT_INVENTORY_RULES_RULE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace culprit::inventory {

enum class Severity : uint8_t { kOff, kNote, kWarning, kError };

enum class RuleId : uint8_t {
#define INVENTORY_RULE(constant, id, severity, meaning) constant,
#include "inventory/rules/rules.def"
#undef INVENTORY_RULE
};

struct RuleInfo {
  RuleId id;
  std::string_view name;
  Severity severity;
  std::string_view meaning;
};

std::span<const RuleInfo> AllRules();
const RuleInfo& InfoOf(RuleId id);
const RuleInfo* FindRule(std::string_view name);

std::optional<Severity> ParseSeverity(std::string_view text);
std::string_view ToString(Severity severity);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_RULE_H_
