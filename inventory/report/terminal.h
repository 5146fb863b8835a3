// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_INVENTORY_REPORT_TERMINAL_H_
#define CULPRIT_INVENTORY_REPORT_TERMINAL_H_

#include <ostream>

#include "inventory/check.h"

namespace culprit::inventory {

struct TerminalStyle {
  bool colour = false;
  bool show_suppressed = false;
};

// Each finding with its line and carets, then one line that sums up.
void WriteTerminal(const Report& report, const TerminalStyle& style, std::ostream& out);

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_REPORT_TERMINAL_H_
