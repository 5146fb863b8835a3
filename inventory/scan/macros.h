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

  // The replacement, for those that can be expanded; a very long one is left out.
  struct Word {
    TokenKind kind;
    std::string text;
    bool operator==(const Word&) const = default;
  };
  std::vector<Word> body;
  bool glues = false;       // its body, or a macro that it uses, makes names with ##
  bool stringizes = false;  // its body turns a parameter into a string
  bool has_string = false;  // its body, or a macro that it uses, has or makes a string

  bool operator==(const Macro&) const = default;
};

// The macros as one file sees them. The table must outlive it.
class MacroScope {
 public:
  using Macros = std::map<std::string, Macro, std::less<>>;

  MacroScope(const Macros& all, const Macros* own) : all_(&all), own_(own) {}

  const Macro* Find(std::string_view name) const;

 private:
  const Macros* all_;
  const Macros* own_;  // null when the file defines nothing in a way of its own
};

// All macros of a tree. Where files define one name differently, each sees its own definition; the
// others see one that does what any of them does, since a build may choose any.
class MacroTable {
 public:
  void AddAll(std::string_view file, const Lexed& lexed);
  // Lets a macro inherit what the macros of its body do. Call once, after the last AddAll.
  void Close();

  MacroScope In(std::string_view file) const;
  const std::map<std::string, Macro, std::less<>>& all() const { return macros_; }

 private:
  using Macros = MacroScope::Macros;

  void Add(std::string_view file, const Lexed& lexed, const Directive& directive);

  Macros macros_;
  std::map<std::string, std::string, std::less<>> first_files_;  // of each name
  std::map<std::string, Macros, std::less<>> own_;               // by file, then name
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_MACROS_H_
