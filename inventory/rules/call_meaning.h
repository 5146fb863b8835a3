// SPDX-License-Identifier: Apache-2.0
// What a call event means to the rules, once the contract's helpers are known beside the driver's
// entries.
#ifndef CULPRIT_INVENTORY_RULES_CALL_MEANING_H_
#define CULPRIT_INVENTORY_RULES_CALL_MEANING_H_

#include <string>
#include <string_view>

#include "inventory/rules/file_view.h"
#include "inventory/syntax/flow_graph.h"

namespace culprit::inventory {

class CallMeaning {
 public:
  explicit CallMeaning(const FileView& view) : view_(view) {}

  bool IsPush(const Event& call) const;  // cuCtxCreate leaves its context current, so it is one too
  bool IsPop(const Event& call) const;
  bool IsHelper(const Event& call) const;
  // Destroys something, or is a helper that does.
  bool Releases(const Event& call) const;
  // Releases the object that `handle` names.
  bool Releases(const Event& call, std::string_view handle) const;
  // Its result may be a driver's error: an entry, a helper, or a function that reaches the driver
  // and returns something.
  bool CarriesResult(const Event& call) const;

 private:
  const FileView& view_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_CALL_MEANING_H_
