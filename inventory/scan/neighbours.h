// SPDX-License-Identifier: Apache-2.0
// What stands around a token, as far as it tells what the token is there for: the chain it ends,
// the name that is assigned, the brackets that close around it. Nothing here knows the driver.
//
// Every search is bounded, so that a file of one endless statement costs no more than its length.
#ifndef CULPRIT_INVENTORY_SCAN_NEIGHBOURS_H_
#define CULPRIT_INVENTORY_SCAN_NEIGHBOURS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/scan/lexer.h"

namespace culprit::inventory {

// return, else, case and other words after which a name is used, not declared.
bool IsStatementWord(std::string_view word);

class Neighbours {
 public:
  explicit Neighbours(const std::vector<Token>& tokens) : tokens_(tokens) {}

  // The token at that distance, or null at the border of the file; looking back, a directive's
  // border is one as well.
  const Token* Before(size_t index, size_t distance = 1) const;
  const Token* After(size_t index, size_t distance = 1) const;

  // Index of the first token of `a->b.c::d` that ends at `last`; subscripts and calls in the chain
  // are stepped over.
  size_t ChainStart(size_t last) const;

  // (*f->close)(m) and (f->close)(m), where the chain reaches from `chain` to `last`.
  bool IsParenthesisedCallee(size_t chain, size_t last) const;

  // A member that receives something (f->close = ...; .close = ...) or is being declared
  // (CloseFunction *close;). `member`: it ends a chain of several names.
  bool IsSlot(size_t index, bool member) const;

  // The name on the left of the `=` that governs the token at `index`; empty when there is none.
  std::string AssignedName(size_t index) const;

  // The name whose address follows soon, as in lookup("close", (void**)&close_fn).
  std::string AddressedName(size_t index) const;

 private:
  size_t MatchingOpen(size_t close) const;
  bool IsFunctionPointerDeclaration(size_t chain, size_t last) const;
  bool IsDeclaredPointer(size_t index) const;

  const std::vector<Token>& tokens_;
};

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SCAN_NEIGHBOURS_H_
