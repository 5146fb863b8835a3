// SPDX-License-Identifier: Apache-2.0
// What the macros of a tree do, as far as ownership and control flow go. Collected from every file
// before any is checked, since a macro's body is usually in a header and its uses elsewhere.
#ifndef CULPRIT_INVENTORY_SCAN_MACROS_H_
#define CULPRIT_INVENTORY_SCAN_MACROS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/scan/lexer.h"

namespace culprit::inventory {

struct Macro {
  std::string name;
  std::vector<std::string> parameters;
  bool function_like = false;
  bool returns = false;            // its body may leave the calling function
  bool jumps = false;              // its body may go to a label
  int label_parameter = -1;        // the parameter that names the label, -1 when the body names it
  std::string label;               // the label the body names
  std::vector<std::string> names;  // identifiers of the body, parameters left out

  // One way the body glues a name together: prefix ## parameter ## suffix.
  struct Paste {
    int parameter;
    std::string prefix, suffix;
    bool operator==(const Paste&) const = default;
  };
  std::vector<Paste> pastes;
  std::vector<int> stringized;  // parameters that the body turns into strings

  bool operator==(const Macro&) const = default;
};

class MacroTable {
 public:
  void AddAll(const Lexed& lexed);
  // Lets a macro inherit what the macros of its body do. Call once, after the last AddAll.
  void Close();

  const Macro* Find(std::string_view name) const;
  const std::map<std::string, Macro, std::less<>>& all() const { return macros_; }

 private:
  void Add(const Lexed& lexed, const Directive& directive);

  std::map<std::string, Macro, std::less<>> macros_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_MACROS_H_
