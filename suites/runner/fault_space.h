// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_FAULT_SPACE_H_
#define SUITES_RUNNER_FAULT_SPACE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::suites {

// A part of the fault space that was not tried, and why.
struct LeftOut {
  std::string what;
  std::string reason;
  uint64_t count = 0;

  bool operator==(const LeftOut&) const = default;
};

// How much of the fault space of one life cycle a sweep covers, as planned.
struct FaultSpace {
  uint64_t calls = 0;  // driver calls of the life cycle without faults
  uint64_t sites = 0;  // calls that are made to fail
  uint64_t singles = 0;
  std::vector<LeftOut> singles_left_out;
  bool pairs_wanted = false;
  uint64_t pairs = 0;
  uint64_t classes = 0;       // of first faults, by how the life cycle went on
  uint64_t first_faults = 0;  // members of those classes
  std::vector<LeftOut> pairs_left_out;

  bool SinglesExhaustive() const { return singles != 0 && singles_left_out.empty(); }
  bool PairsExhaustive() const { return pairs_wanted && pairs_left_out.empty(); }
  bool operator==(const FaultSpace&) const = default;
};

nlohmann::json ToJson(const FaultSpace& space);
// Throws nlohmann::json::exception.
FaultSpace FaultSpaceFromJson(const nlohmann::json& json);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_FAULT_SPACE_H_
