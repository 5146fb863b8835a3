// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "input/input_error.h"
#include "input/number.h"

namespace culprit::suites {

Shard ParseShard(const std::string& text) {
  const size_t slash = std::min(text.find('/'), text.size());
  const uint64_t number = WholeNumberIn(std::string_view(text).substr(0, slash)).value_or(0);
  const std::string_view behind = std::string_view(text).substr(std::min(slash + 1, text.size()));
  const uint64_t count = WholeNumberIn(behind).value_or(0);
  if (number < 1 || number > count || count > kMostShards) {
    throw InputError(fmt::format("'{}' is no part; write i/n, with i from 1 to n, and n up to {}",
                                 text, kMostShards));
  }
  return {static_cast<uint32_t>(number - 1), static_cast<uint32_t>(count)};
}

}  // namespace culprit::suites
