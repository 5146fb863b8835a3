// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_PLANNED_FAULTS_H_
#define SUITES_RUNNER_PLANNED_FAULTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "suites/runner/driver_under_test.h"
#include "suites/runner/fault.h"

namespace culprit::suites {

// The faults of one life cycle, as the driver holds them. All vectors are in the order of the plan.
class PlannedFaults {
 public:
  PlannedFaults(const culprit_control_table& control, const std::vector<Fault>& faults)
      : control_(control), faults_(faults) {}

  // In place of what was planned before. Throws std::runtime_error when the driver refuses one.
  void Plan();
  std::vector<uint64_t> Fired() const;
  // The first sticky fault that has fired and was not lifted.
  std::optional<size_t> StickyInForce() const;
  void LiftWhatIsInForce();
  // As the call log names them.
  const std::vector<int>& ids() const { return ids_; }

 private:
  bool InForce(size_t fault) const;

  const culprit_control_table& control_;
  const std::vector<Fault>& faults_;
  std::vector<int> ids_;
  std::vector<bool> lifted_;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_PLANNED_FAULTS_H_
