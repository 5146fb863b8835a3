// SPDX-License-Identifier: Apache-2.0
//
// Runs a threaded life cycle under many schedules and judges each: bits as in the serial run, no
// deadlock, no finding. With faults, every call that can fail does so in turn, under schedules of
// its own; which of a run's calls of an entry is the nth depends on the schedule.
#ifndef SUITES_INTERLEAVINGS_EXPLORATION_H_
#define SUITES_INTERLEAVINGS_EXPLORATION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suites/interleavings/strategy.h"
#include "suites/runner/case_result.h"
#include "suites/runner/driver_under_test.h"
#include "suites/runner/port_library.h"
#include "suites/runner/settings.h"

namespace culprit::interleavings {

enum class StrategyKind : uint8_t { kDepthFirst, kProbabilistic, kRandom, kFixed };
std::optional<StrategyKind> StrategyKindOf(const std::string& name);

struct ExplorationPlan {
  std::string port;
  suites::Settings settings;  // with threads
  uint32_t width = 32;
  uint32_t height = 32;
  uint32_t frames = 4;
  StrategyKind strategy = StrategyKind::kDepthFirst;
  uint32_t preemptions = 2;  // depth first
  uint32_t depth = 3;        // probabilistic
  uint64_t seed = 1;
  uint64_t runs = 100000;  // at most; with faults, for each of them
  bool faults = false;
  std::vector<suites::Fault> fixed_faults;  // of a run with a fixed schedule
  std::string schedule;                     // for the strategy that follows one
};

// What was run, and the first run that failed.
struct Explored {
  uint64_t runs = 0;
  bool exhausted = false;  // everything that the strategy stands for was run
  uint64_t faults = 0;     // planned
  uint64_t points = 0;     // of the longest run
  uint64_t decisions = 0;
  uint32_t threads = 0;  // of the largest
  std::optional<suites::CaseResult> failed;
  std::string schedule;  // of the failed run
};

nlohmann::json ToJson(const Explored& explored);
Explored ExploredFromJson(const nlohmann::json& json);

// Throws std::runtime_error when the harness cannot do it or the serial run fails already.
Explored Explore(const suites::PortLibrary& port, const suites::DriverUnderTest& driver,
                 const ExplorationPlan& plan);

}  // namespace culprit::interleavings

#endif  // SUITES_INTERLEAVINGS_EXPLORATION_H_
