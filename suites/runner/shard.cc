// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/shard.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

namespace culprit::suites {

Shard ParseShard(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  unsigned index = 0;
  int end = 0;
  if (std::sscanf(text.c_str(), "%u/%u%n", &index, &shard.count, &end) != 2 ||
      static_cast<size_t>(end) != text.size() || index < 1 || index > shard.count) {
    throw std::invalid_argument(
        fmt::format("--shard {}: i/n is expected, with i from 1 to n", text));
  }
  shard.index = index - 1;
  return shard;
}

}  // namespace culprit::suites
