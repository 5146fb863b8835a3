// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_REPORT_PRINTABLE_H_
#define CULPRIT_INVENTORY_REPORT_PRINTABLE_H_

#include <string>
#include <string_view>

namespace culprit::inventory {

// Text of a source as a terminal or an XML reader may have it: valid UTF-8 without control
// characters. A tab or line end becomes a blank, whatever else is wrong the replacement character,
// so that carets below the text stay in place.
std::string Printable(std::string_view text);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_PRINTABLE_H_
