// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_NUMBER_H_
#define INPUT_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace culprit {

// The number that the whole text is. Nothing: it is something else, or too large for the type.
std::optional<uint64_t> WholeNumberIn(std::string_view text);  // digits only
std::optional<double> NumberIn(std::string_view text);         // finite: neither inf nor nan

}  // namespace culprit

#endif  // INPUT_NUMBER_H_
