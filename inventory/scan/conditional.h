// SPDX-License-Identifier: Apache-2.0
// Decides #if conditions as far as the text and the contract's [conditions] allow. Whatever stays
// unknown keeps its code: a branch is dead only when nothing could make it live.
#ifndef CULPRIT_INVENTORY_SCAN_CONDITIONAL_H_
#define CULPRIT_INVENTORY_SCAN_CONDITIONAL_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::inventory {

enum class Truth : uint8_t { kFalse, kTrue, kUnknown };

struct KnownMacros {
  std::set<std::string, std::less<>> defined;
  std::set<std::string, std::less<>> undefined;
};

// `expression` is what follows #if or #elif: integers, defined(X), names, !, &&, ||, parentheses;
// anything else is unknown.
Truth EvaluateCondition(std::string_view expression, const KnownMacros& known);

// The nesting of #if groups while a file is read from top to bottom.
class ConditionalStack {
 public:
  explicit ConditionalStack(const KnownMacros& known) : known_(known) {}

  // Takes one directive, for example ("ifdef", "HAVE_CUDA"); other directives are ignored.
  void Directive(std::string_view name, std::string_view rest);
  bool dead() const;

 private:
  struct Group {
    Truth branch;       // of the branch we are in
    bool taken_surely;  // an earlier branch is certainly compiled, so all later ones are dead
  };

  const KnownMacros& known_;
  std::vector<Group> groups_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_CONDITIONAL_H_
