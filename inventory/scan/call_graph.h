// SPDX-License-Identifier: Apache-2.0
// Which functions of the tree reach a driver call, by name. A result of such a function may be a
// driver's error, so losing it loses a driver's error.
#ifndef CULPRIT_INVENTORY_SCAN_CALL_GRAPH_H_
#define CULPRIT_INVENTORY_SCAN_CALL_GRAPH_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "inventory/scan/lexer.h"
#include "inventory/scan/outline.h"

namespace culprit::inventory {

class CallGraph {
 public:
  void Add(std::string_view file, const Lexed& lexed, const Outline& outline);
  // Computes what reaches the driver. Call once, after the last Add.
  void Close();

  // Whether a call of `name` in `file` may run a driver call and return its result.
  bool ReachesDriver(std::string_view file, std::string_view name) const;
  bool ReturnsVoid(std::string_view file, std::string_view name) const;

 private:
  struct Function {
    bool reaches_driver = false;
    bool returns_void = false;
    std::vector<uint64_t> calls;  // keys: of the name in this file, and of the name anywhere
  };

  static uint64_t LocalKey(std::string_view file, std::string_view name);
  static uint64_t GlobalKey(std::string_view name);
  const Function* Find(std::string_view file, std::string_view name) const;

  std::unordered_map<uint64_t, Function> functions_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_CALL_GRAPH_H_
