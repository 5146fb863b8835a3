// SPDX-License-Identifier: Apache-2.0
// Where functions begin and end, found from tokens and braces alone. It knows no types and builds
// no tree, and so it also answers for regions that the grammar could not parse.
#ifndef CULPRIT_INVENTORY_SCAN_OUTLINE_H_
#define CULPRIT_INVENTORY_SCAN_OUTLINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "inventory/scan/lexer.h"

namespace culprit::inventory {

struct FunctionSpan {
  std::string name;                  // qualified as far as the text shows: Module::Unload
  uint32_t begin;                    // offset of the name
  uint32_t body_begin, body_end;     // offsets of the braces
  uint32_t first_token, last_token;  // tokens of the body, half-open, braces included
  bool is_static = false;            // declared static, or in a class: known in its file only
  bool returns_void = false;
};

struct Outline {
  std::vector<FunctionSpan>
      functions;  // in file order; a function inside a function is part of the outer one

  // The function whose body holds `offset`, or null.
  const FunctionSpan* At(uint32_t offset) const;
};

Outline OutlineOf(const Lexed& lexed);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_OUTLINE_H_
