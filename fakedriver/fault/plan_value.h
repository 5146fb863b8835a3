// SPDX-License-Identifier: Apache-2.0
//
// Values of a plan, each read with the rule it must keep.
#ifndef FAKEDRIVER_FAULT_PLAN_VALUE_H_
#define FAKEDRIVER_FAULT_PLAN_VALUE_H_

#include <yaml-cpp/yaml.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "fakedriver/core/api.h"

namespace culprit::fakedriver::fault {

// A rule that a plan breaks, with the place.
class PlanError : public std::runtime_error {
 public:
  PlanError(const YAML::Mark& mark, const std::string& rule, const std::string& what)
      : std::runtime_error(rule + ": " + what), mark_(mark) {}
  const YAML::Mark& mark() const { return mark_; }

 private:
  YAML::Mark mark_;
};

std::string TextOf(const YAML::Node& node);
std::string NotEmptyTextOf(const YAML::Node& node);
bool FlagOf(const YAML::Node& node);
uint64_t CountOf(const YAML::Node& node);                     // from 0
uint64_t PositiveOf(const YAML::Node& node);                  // from 1
uint32_t ThreadOf(const YAML::Node& node);                    // from 1
double ProbabilityOf(const YAML::Node& node);                 // 0 to 1
uint64_t BytesOf(const YAML::Node& node);                     // 4096, 64KiB, 2MiB, 1GiB
std::chrono::nanoseconds DurationOf(const YAML::Node& node);  // 250us, 5ms, 2s; at most a day
CUresult ResultOf(const YAML::Node& node);                    // by name or number

}  // namespace culprit::fakedriver::fault

#endif  // FAKEDRIVER_FAULT_PLAN_VALUE_H_
