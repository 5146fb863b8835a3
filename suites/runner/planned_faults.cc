// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/planned_faults.h"

#include <fmt/format.h>

#include <stdexcept>

namespace culprit::suites {

void PlannedFaults::Plan() {
  control_.clear_faults();
  ids_.clear();
  for (const Fault& fault : faults_) {
    culprit_fault planned{};
    planned.size = sizeof(planned);
    planned.entry = fault.entry.c_str();
    planned.nth = fault.nth;
    planned.when = fault.when == FaultWhen::kAfter ? CULPRIT_FAULT_AFTER : CULPRIT_FAULT_BEFORE;
    planned.span = fault.span == FaultSpan::kSticky ? CULPRIT_FAULT_STICKY : CULPRIT_FAULT_ONCE;
    planned.result = fault.result;
    planned.optional = fault.optional ? 1 : 0;
    const int id = control_.add_fault(&planned);
    if (id < 0) {
      throw std::runtime_error(
          fmt::format("fault {} was refused: {}", fault.Name(), control_.last_error()));
    }
    ids_.push_back(id);
  }
  lifted_.assign(ids_.size(), false);
}

std::vector<uint64_t> PlannedFaults::Fired() const {
  std::vector<uint64_t> fired;
  for (const int id : ids_) fired.push_back(control_.fault_fired(id));
  return fired;
}

bool PlannedFaults::InForce(size_t fault) const {
  return faults_[fault].span == FaultSpan::kSticky && !lifted_[fault] &&
         control_.fault_fired(ids_[fault]) != 0;
}

std::optional<size_t> PlannedFaults::StickyInForce() const {
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (InForce(i)) return i;
  }
  return std::nullopt;
}

void PlannedFaults::LiftWhatIsInForce() {
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (!InForce(i)) continue;
    control_.lift_fault(ids_[i]);
    lifted_[i] = true;
  }
}

}  // namespace culprit::suites
