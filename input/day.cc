// SPDX-License-Identifier: Apache-2.0
#include "input/day.h"

#include <chrono>

#include "input/number.h"

namespace culprit {

bool IsDay(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = WholeNumberIn(text.substr(0, 4));
  const auto month = WholeNumberIn(text.substr(5, 2));
  const auto day = WholeNumberIn(text.substr(8, 2));
  if (!year || !month || !day) return false;
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

}  // namespace culprit
