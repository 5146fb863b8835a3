// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_SHARD_H_
#define SUITES_RUNNER_SHARD_H_

#include <cstdint>
#include <string>

namespace culprit::suites {

// A part of every sweep: a pure function of the plan and a case's number, so that any job engine
// can spread the parts.
struct Shard {
  uint32_t index = 0;  // from 0
  uint32_t count = 1;

  // Case 0 is the run without a sweep's faults, which every part begins with.
  bool Owes(uint64_t number) const { return number == 0 || (number - 1) % count == index; }
};

inline constexpr uint32_t kMostShards = 1000000;

// "i/n", i from 1 to n. Throws InputError.
Shard ParseShard(const std::string& text);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SHARD_H_
