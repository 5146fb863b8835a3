// SPDX-License-Identifier: Apache-2.0
// Which functions of a file open and close owners, and what closing reaches.
#ifndef CULPRIT_INVENTORY_RULES_LIFECYCLE_H_
#define CULPRIT_INVENTORY_RULES_LIFECYCLE_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/contract/contract.h"
#include "inventory/scan/lexer.h"
#include "inventory/scan/outline.h"

namespace culprit::inventory {

// `FeatureExtractor fex = {.init = init, .close = close}`
struct CallbackTable {
  std::string variable;
  uint32_t begin, end;  // of the variable's name
  struct Member {
    std::string name, function;  // function is empty when the member is null
    uint32_t begin, end;
  };
  std::vector<Member> members;

  const Member* Find(std::string_view name) const;
};

std::vector<CallbackTable> FindCallbackTables(const Lexed& lexed, std::string_view type);

class Lifecycle {
 public:
  Lifecycle(const Contract& contract, const Lexed& lexed, const Outline& outline);

  bool has_close() const { return has_close_; }
  bool ReachedFromClose(std::string_view function) const { return closing_.contains(function); }

 private:
  bool IsCloseRoot(std::string_view function) const;

  const Contract& contract_;
  std::set<std::string, std::less<>> callbacks_;  // functions that a table names as close
  std::set<std::string, std::less<>> closing_;
  bool has_close_ = false;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_RULES_LIFECYCLE_H_
