// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_NEAREST_NAMES_H_
#define INPUT_NEAREST_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace culprit {

// What somebody may have meant by a name that does not exist: of `names` those that begin with it,
// or else those that are fewest letters away, in their order. Empty when none is near.
std::vector<std::string> NearestNames(std::string_view given,
                                      const std::vector<std::string>& names);

}  // namespace culprit

#endif  // INPUT_NEAREST_NAMES_H_
