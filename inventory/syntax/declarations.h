// SPDX-License-Identifier: Apache-2.0
// Cuts the declarations out of a file that are worth a syntax tree. Parsing is what checking costs
// most of, and of most files the rules look at a few functions.
#ifndef CULPRIT_INVENTORY_SYNTAX_DECLARATIONS_H_
#define CULPRIT_INVENTORY_SYNTAX_DECLARATIONS_H_

#include <optional>
#include <vector>

#include "inventory/scan/lexer.h"

namespace culprit::inventory {

// Whole declarations, at file scope or directly in a namespace, that together hold all of
// `wanted`, in file order. Nothing when one of them cannot be cut out for certain: braces or #if
// groups that do not close in it, a K&R definition, a file that is not C at all; nor when there
// would be too many. Then the whole file has to be parsed. `blanked` is text that the parser will
// not see; both lists are in file order and may overlap.
std::optional<std::vector<Range>> DeclarationsAround(const Lexed& lexed,
                                                     const std::vector<Range>& blanked,
                                                     const std::vector<Range>& wanted);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_SYNTAX_DECLARATIONS_H_
