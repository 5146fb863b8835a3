// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_DAY_H_
#define INPUT_DAY_H_

#include <string_view>

namespace culprit {

// Whether the text is a day that exists, written as 2026-12-31. Days compare as texts.
bool IsDay(std::string_view text);

}  // namespace culprit

#endif  // INPUT_DAY_H_
