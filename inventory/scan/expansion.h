// SPDX-License-Identifier: Apache-2.0
// A small expansion of macros, for names and strings that a source never spells out: those glued
// together by ## through any number of macros, and those that adjacent strings add up to.
//
// It is bounded in depth and length and gives up quietly: a macro that grows without end names no
// driver entry.
#ifndef CULPRIT_INVENTORY_SCAN_EXPANSION_H_
#define CULPRIT_INVENTORY_SCAN_EXPANSION_H_

#include <span>
#include <string>
#include <vector>

#include "inventory/scan/lexer.h"
#include "inventory/scan/macros.h"

namespace culprit::inventory {

struct Expansion {
  std::vector<std::string> glued;    // names made by ##
  std::vector<std::string> strings;  // after adjacent ones were joined and # was applied
  size_t read = 0;                   // tokens of the source that went in
};

// Expands the macro call that starts at `tokens[0]`: the name alone, or with its arguments.
Expansion ExpandCall(const MacroScope& macros, std::span<const Token> tokens);

// Expands `tokens` as they stand, for example the arguments of dlsym.
Expansion Expand(const MacroScope& macros, std::span<const Token> tokens);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_EXPANSION_H_
